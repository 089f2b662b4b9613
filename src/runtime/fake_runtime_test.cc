#include "runtime/fake_runtime.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <thread>

namespace sluice {
namespace {

class LastRow : public LogitsSink {
 public:
  void on_logits(SequenceId, Position, std::span<const float> row) override {
    best = static_cast<Token>(std::max_element(row.begin(), row.end()) - row.begin());
  }
  Token best = -1;
};

FakeOptions small() { return {.capabilities = fake_capabilities(4, 2000, 100, {99})}; }

Result<Token> say(FakeRuntime& runtime, SequenceId seq, std::vector<Token> tokens) {
  LastRow sink;
  const Feed feed{seq, tokens, runtime.computed(seq), LogitsWanted::last};
  if (auto stepped = runtime.step({&feed, 1}, sink); !stepped) return std::unexpected(stepped.error());
  return sink.best;
}

struct LikeliestToken : LogitsSink {
  void on_logits(SequenceId, Position, std::span<const float>) override { FAIL() << "no row was asked for"; }
  void on_likeliest(SequenceId, Position, std::optional<Token> token) override { tokens.push_back(token); }
  std::vector<std::optional<Token>> tokens;
};

ErrorCode code_of(const Result<Token>& said) { return said ? ErrorCode::internal : said.error().code; }

TEST(FakeRuntime, GreedyTextIsVariedAndEndsInTheEnd) {
  FakeRuntime runtime(small());
  Result<Token> next = say(runtime, SequenceId{0}, {1, 2, 3});
  std::set<Token> seen;
  int length = 0;
  for (; next && *next != 99 && length < 1500; ++length) {
    seen.insert(*next);
    next = say(runtime, SequenceId{0}, {*next});
  }
  ASSERT_TRUE(next);
  EXPECT_EQ(*next, 99);
  EXPECT_GT(length, 3);
  EXPECT_GT(seen.size(), 2u);
}

TEST(FakeRuntime, WhereItChoosesItChoosesNothingFromARowWithoutAPossibleToken) {
  FakeOptions options = small();
  options.capabilities.device_sampling = Capability::yes();
  options.logits = [](std::span<const Token> tokens, uint64_t, std::span<float> row) {
    std::ranges::fill(row, std::numeric_limits<float>::quiet_NaN());
    row.back() = -std::numeric_limits<float>::infinity();
    if (tokens.back() == 7) row[5] = -1;
  };
  FakeRuntime runtime(std::move(options));
  LikeliestToken sink;
  const std::vector<Token> sound = {7}, spoilt = {8};
  const std::vector<Feed> feeds = {{SequenceId{0}, spoilt, 0, LogitsWanted::likeliest},
                                   {SequenceId{1}, sound, 0, LogitsWanted::likeliest}};
  ASSERT_TRUE(runtime.step(feeds, sink));
  EXPECT_EQ(sink.tokens, (std::vector<std::optional<Token>>{std::nullopt, 5}));
}

TEST(FakeRuntime, CountsEveryRowItIsFedBySequence) {
  FakeRuntime runtime(small());
  ASSERT_TRUE(say(runtime, SequenceId{0}, {1, 2, 3}));
  ASSERT_TRUE(say(runtime, SequenceId{2}, {1, 2}));
  ASSERT_TRUE(runtime.copy(SequenceId{0}, SequenceId{1}, 3));
  EXPECT_EQ(runtime.counters().rows, 5u);
  EXPECT_EQ(runtime.counters().rows_of[0], 3u);
  EXPECT_EQ(runtime.counters().rows_of[1], 0u);
  EXPECT_EQ(runtime.counters().rows_of[2], 2u);
  EXPECT_EQ(runtime.counters().calls, 2u);
  EXPECT_EQ(runtime.counters().passes, 2u);
}

TEST(FakeRuntime, LatencyIsSpentOnlyThroughTheInjectedWait) {
  Duration spent{};
  FakeOptions options = small();
  options.call_latency = from_us(100);
  options.row_latency = from_us(10);
  options.wait = [&](Duration d) { spent += d; };
  FakeRuntime runtime(std::move(options));
  ASSERT_TRUE(say(runtime, SequenceId{0}, {1, 2, 3}));
  EXPECT_EQ(spent, from_us(130));
}

TEST(FakeRuntime, NoRoomAtTheScriptedCallChangesNothing) {
  FakeOptions options = small();
  options.faults = {{FakeFault::capacity, 2}};
  FakeRuntime runtime(std::move(options));
  ASSERT_TRUE(say(runtime, SequenceId{0}, {1}));
  EXPECT_EQ(code_of(say(runtime, SequenceId{0}, {2})), ErrorCode::capacity);
  EXPECT_EQ(runtime.computed(SequenceId{0}), 1);
  EXPECT_TRUE(say(runtime, SequenceId{0}, {2}));
}

TEST(FakeRuntime, AFaultLosesItsSequencesUntilTheyAreDropped) {
  FakeOptions options = small();
  options.faults = {{FakeFault::fault, 2}};
  FakeRuntime runtime(std::move(options));
  ASSERT_TRUE(say(runtime, SequenceId{1}, {1}));
  EXPECT_EQ(code_of(say(runtime, SequenceId{0}, {1})), ErrorCode::fault);
  EXPECT_EQ(code_of(say(runtime, SequenceId{0}, {1})), ErrorCode::invalid);
  EXPECT_TRUE(say(runtime, SequenceId{1}, {2}));
  runtime.drop(SequenceId{0});
  EXPECT_TRUE(say(runtime, SequenceId{0}, {1}));
}

TEST(FakeRuntime, AfterAFatalErrorEveryCallIsFatal) {
  FakeOptions options = small();
  options.faults = {{FakeFault::fatal, 1}};
  FakeRuntime runtime(std::move(options));
  EXPECT_EQ(code_of(say(runtime, SequenceId{0}, {1})), ErrorCode::fatal);
  EXPECT_EQ(code_of(say(runtime, SequenceId{1}, {1})), ErrorCode::fatal);
}

TEST(FakeRuntime, AHangEndsWithTheAbort) {
  FakeOptions options = small();
  options.faults = {{FakeFault::hang, 1}};
  FakeRuntime runtime(std::move(options));
  std::thread aborter([&] { runtime.abort_step(); });
  EXPECT_EQ(code_of(say(runtime, SequenceId{0}, {1})), ErrorCode::cancelled);
  aborter.join();
  EXPECT_TRUE(say(runtime, SequenceId{0}, {1}));
}

TEST(FakeRuntimeDeathTest, ACrashEndsTheProcess) {
  FakeOptions options = small();
  options.faults = {{FakeFault::crash, 1}};
  FakeRuntime runtime(std::move(options));
  EXPECT_DEATH((void)say(runtime, SequenceId{0}, {1}), "");
}

}  // namespace
}  // namespace sluice
