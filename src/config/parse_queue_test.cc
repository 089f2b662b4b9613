// Who may wait, and how long.
#include <gtest/gtest.h>

#include "config/parse.h"
#include "config/test_folder.h"

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

class ParseQueue : public testing::Test {
 protected:
  Parsed<ServeOptions> parse(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), model_);
    return parse_serve(std::move(arguments), folder_.path());
  }
  QueueLimits good(std::vector<std::string> arguments) {
    const auto parsed = parse(std::move(arguments));
    EXPECT_TRUE(parsed) << parsed.error().text;
    return parsed ? parsed->queue : QueueLimits{};
  }
  TestFolder folder_;
  std::string model_ = folder_.write("tiny.gguf", "GGUF");
};

TEST_F(ParseQueue, DefaultsBoundTheWholeAlone) {
  const QueueLimits queue = good({});
  EXPECT_EQ(queue.total, 1024u);
  EXPECT_EQ(queue.by_key, 1024u);
  EXPECT_EQ(queue.time, 600s);
  for (const auto& bound : queue.by_class) EXPECT_FALSE(bound);
}

TEST_F(ParseQueue, BoundsAreTaken) {
  const QueueLimits queue = good({"--queue-max", "100", "--class-queue", "background=10,agent=50", "--class-queue",
                                  "completion=0", "--key-queue", "30", "--queue-time-ms", "1500"});
  EXPECT_EQ(queue.total, 100u);
  EXPECT_FALSE(queue.by_class[0]);
  EXPECT_EQ(queue.by_class[1], 0u);
  EXPECT_EQ(queue.by_class[2], 50u);
  EXPECT_EQ(queue.by_class[3], 10u);
  EXPECT_EQ(queue.by_key, 30u);
  EXPECT_EQ(queue.time, 1500ms);
}

TEST_F(ParseQueue, AKeyMayFillHalfOfItWhereThereIsAnother) {
  EXPECT_EQ(good({"--queue-max", "9", "--api-key", "a"}).by_key, 9u);
  EXPECT_EQ(good({"--queue-max", "9", "--api-key", "a", "--api-key", "b"}).by_key, 5u);
}

TEST_F(ParseQueue, WhatIsImpossibleIsSaid) {
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"--queue-max", "0"}, "--queue-max: '0' is not possible: a number of answers is 1 to 1024"},
      {{"--queue-max", "1025"}, "--queue-max: '1025' is not possible: a number of answers is 1 to 1024"},
      {{"--class-queue", "agent"}, "--class-queue: 'agent' is not possible; agent=100 would be"},
      {{"--class-queue", "batch=1"},
       "--class-queue: 'batch' is not possible; one of interactive, completion, agent, background is"},
      {{"--class-queue", "agent=x"}, "--class-queue: 'x' is not possible: a number of answers is 0 to 1024"},
      {{"--queue-max", "5", "--class-queue", "agent=6"}, "--class-queue: 6 is more than --queue-max 5"},
      {{"--queue-max", "5", "--key-queue", "6"}, "--key-queue: 6 is more than --queue-max 5"},
      {{"--queue-time-ms", "0"}, "--queue-time-ms: '0' is not possible: a time in ms is 1 to 86400000"},
  };
  for (const auto& [arguments, line] : cases) {
    const auto parsed = parse(arguments);
    ASSERT_FALSE(parsed) << line;
    EXPECT_EQ(parsed.error().text, "sluice serve: " + line);
  }
}

}  // namespace
}  // namespace sluice::config
