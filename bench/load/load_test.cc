#include <gmock/gmock.h>

#include <boost/json.hpp>
#include <set>

#include "bench/load/ask.h"
#include "bench/load/prompts.h"

namespace sluice::bench {
namespace {

namespace json = boost::json;
using testing::Contains;
using testing::Not;

json::object body(const Ask& ask, Kind kind) { return json::parse(body_of(ask, dialect_of(kind), "m")).as_object(); }

TEST(Ask, ARawGreedyPromptGoesToTheEnd) {
  const Ask ask{.prompt = "hi", .tokens = 9};
  EXPECT_EQ(path_of(ask), "/v1/completions");
  const auto sent = body(ask, Kind::llama_server);
  EXPECT_EQ(sent.at("prompt"), "hi");
  EXPECT_EQ(sent.at("temperature").to_number<double>(), 0);
  EXPECT_EQ(sent.at("max_tokens"), 9);
  EXPECT_EQ(sent.at("ignore_eos"), true);
  EXPECT_EQ(sent.at("stream_options").at("include_usage"), true);
  EXPECT_FALSE(sent.contains("seed"));
  EXPECT_FALSE(sent.contains("chat_template_kwargs"));
}

TEST(Ask, AChatCarriesItsMessagesAndHowTokensAreDrawn) {
  const Ask ask{
      .chat = true, .messages = {{"user", "hi"}}, .tokens = 9, .sampled = Sampled{.seed = 7}, .thinking = false};
  const auto sent = body(ask, Kind::sluice);
  EXPECT_EQ(path_of(ask), "/v1/chat/completions");
  EXPECT_EQ(sent.at("messages").as_array()[0].at("content"), "hi");
  EXPECT_EQ(sent.at("top_k"), 20);
  EXPECT_EQ(sent.at("seed"), 7);
  EXPECT_EQ(sent.at("chat_template_kwargs").at("enable_thinking"), false);
}

TEST(Ask, AServerThatASeedKeepsAloneGetsNone) {
  const Ask ask{.prompt = "hi", .tokens = 9, .sampled = Sampled{}};
  EXPECT_FALSE(body(ask, Kind::mlx_lm).contains("seed"));
  EXPECT_TRUE(body(ask, Kind::sluice).contains("seed"));
}

TEST(Ask, AnAnswerThatMayEndNeedNotHaveAllItsTokens) {
  const Ask ask{.prompt = "hi", .tokens = 9, .to_the_end = false};
  EXPECT_FALSE(body(ask, Kind::sluice).contains("ignore_eos"));
  EXPECT_FALSE(expected_of(ask).exactly);
}

TEST(Kinds, EveryNameLeadsBack) {
  for (const std::string_view name : {"sluice", "llama-server", "superfluid", "mlx-lm", "ollama", "command"}) {
    ASSERT_TRUE(kind_named(name));
    EXPECT_EQ(name_of(*kind_named(name)), name);
    EXPECT_THAT(kind_names(), testing::HasSubstr(std::string(name)));
  }
  EXPECT_FALSE(kind_named("url")) << "a server at a URL is not started";
  EXPECT_FALSE(kind_named("vllm"));
}

TEST(Prompts, HeadsDifferFromTheirFirstLetters) {
  std::set<std::string> heads;
  for (uint64_t number = 0; number < 500; ++number) heads.insert(unique_head(1, number).substr(0, 6));
  EXPECT_GT(heads.size(), 495u);
  EXPECT_EQ(unique_head(1, 5), unique_head(1, 5));
  EXPECT_NE(unique_head(1, 5), unique_head(2, 5));
}

TEST(Prompts, ProseHasAboutAsManyWordsAsTokensWereAskedFor) {
  const std::string text = prose(1000, 3);
  const auto words = std::ranges::count(text, ' ');
  EXPECT_GT(words, 700);
  EXPECT_LT(words, 1000);
  EXPECT_EQ(text, prose(1000, 3));
  EXPECT_NE(text, prose(1000, 4));
  EXPECT_TRUE(prose(2000, 3).starts_with(text));
}

TEST(Prompts, TasksAreDistinct) {
  std::set<std::string_view> tasks;
  for (size_t i = 0; i < kTasks; ++i) tasks.insert(task(i));
  EXPECT_EQ(tasks.size(), kTasks);
  EXPECT_EQ(task(0), task(kTasks));
}

}  // namespace
}  // namespace sluice::bench
