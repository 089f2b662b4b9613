// One call of step(): what it refuses, how it is cut into passes, and how it ends early.
#include <thread>

#include "runtime/conformance.h"

namespace sluice {
namespace {

class Ignore : public LogitsSink {
 public:
  void on_logits(SequenceId, Position, std::span<const float>) override {}
};

TEST_P(RuntimeConformance, AFeedMustContinueItsSequence) {
  const Tokens tokens = text(10);
  feed(kA, tokens);
  expect_refused({{kA, tokens, 11, LogitsWanted::last}});
  expect_refused({{kA, tokens, 9, LogitsWanted::last}});
  expect_refused({{kA, tokens, 0, LogitsWanted::last}});
  expect_refused({{kA, tokens, -1, LogitsWanted::last}});
  expect_refused({{kB, tokens, 1, LogitsWanted::last}});
}

TEST_P(RuntimeConformance, AFeedMustNameASequence) {
  const Tokens tokens = text(10);
  expect_refused({{SequenceId{-1}, tokens, 0, LogitsWanted::last}});
  expect_refused({{SequenceId{static_cast<int32_t>(can().sequences)}, tokens, 0, LogitsWanted::last}});
  expect_refused({{SequenceId{INT32_MAX}, tokens, 0, LogitsWanted::last}});
}

TEST_P(RuntimeConformance, TokensOutsideTheVocabularyAreRefused) {
  for (const Token wrong : {-1, static_cast<Token>(can().vocabulary), INT32_MAX, INT32_MIN}) {
    SCOPED_TRACE(wrong);
    Tokens tokens = text(10);
    tokens[5] = wrong;
    expect_refused({{kA, tokens, 0, LogitsWanted::last}});
  }
}

TEST_P(RuntimeConformance, OneWrongFeedRefusesTheWholeCall) {
  const Tokens good = text(10);
  Tokens bad = good;
  bad.back() = -1;
  expect_refused({{kA, good, 0, LogitsWanted::last}, {kB, bad, 0, LogitsWanted::last}});
}

TEST_P(RuntimeConformance, EmptyFeedsAndEmptyCallsAreRefused) {
  expect_refused({});
  expect_refused({{kA, {}, 0, LogitsWanted::none}});
}

TEST_P(RuntimeConformance, ASequenceIsFedOnceInACall) {
  const Tokens tokens = text(10);
  expect_refused({{kA, tokens, 0, LogitsWanted::last}, {kA, tokens, 10, LogitsWanted::last}});
  expect_refused({{kA, tokens, 0, LogitsWanted::last}, {kA, tokens, 0, LogitsWanted::last}});
}

TEST_P(RuntimeConformance, MoreTokensThanACallTakesAreRefused) {
  const size_t total = can().call_tokens + 1;
  const size_t share = (total + 7) / 8;  // of eight sequences; none overflows its window unless one call is wider
  const Tokens tokens = text(share);
  std::vector<Feed> feeds;
  for (int32_t seq = 0; seq < 8; ++seq) feeds.push_back({SequenceId{seq}, tokens, 0, LogitsWanted::none});
  expect_refused(feeds);
}

TEST_P(RuntimeConformance, AFeedBeyondTheWindowIsRefused) {
  const Tokens tokens = text(can().window);
  feed_in_chunks(kA, std::span(tokens).first(can().window - 4), can().call_tokens - 1, LogitsWanted::none);
  const Tokens five = text(5);
  expect_refused({{kA, five, static_cast<Position>(can().window) - 4, LogitsWanted::last}});
}

TEST_P(RuntimeConformance, AfterARefusalTheNextCallComputes) {
  const Tokens tokens = text(20);
  const Row wanted = fresh(kA, tokens);
  feed(kB, std::span(tokens).first(10), LogitsWanted::none);
  expect_refused({{kB, tokens, 3, LogitsWanted::last}});
  expect_same(feed_last(kB, std::span(tokens).last(10)), wanted, can().chunk_equals_chunk);
}

TEST_P(RuntimeConformance, PassesAreCountedAsTheCapabilitiesSay) {
  const Tokens tokens = text(can().call_tokens);
  const std::span one = std::span(tokens).first(1), two = std::span(tokens).first(2);
  const auto passes = [this](std::vector<Feed> feeds) { return runtime().passes_of(feeds).passes; };
  EXPECT_EQ(passes({}), 0u);
  EXPECT_EQ(passes({{kA, one, 0}}), 1u);
  EXPECT_EQ(passes({{kA, tokens, 0}}), (can().call_tokens + can().pass_tokens - 1) / can().pass_tokens);
  if (can().pass_tokens < 3) return;
  EXPECT_EQ(passes({{kA, one, 0}, {kB, one, 0}}), 1u);
  EXPECT_EQ(passes({{kA, one, 0}, {kC, one, 0}}), can().adjacent_ids_per_pass.holds ? 2u : 1u);
  EXPECT_EQ(passes({{kA, two, 0}, {kB, two, 0}}), can().pass_tokens < 4 ? 2u : 1u);
  if (!can().mixed_passes.holds || can().equal_rows_per_pass.holds) {
    EXPECT_EQ(passes({{kA, one, 0}, {kB, two, 0}}), 2u);
  }
}

// The abort may come before, in or after a step: the one that runs or the next one ends with `cancelled`.
TEST_P(RuntimeConformance, AnAbortedStepTellsTheTruthAndGoesOn) {
  const Tokens tokens = text(std::min(can().call_tokens, can().window / 2));
  const Tokens tail = text(20, 1);
  feed(kD, tokens, LogitsWanted::none);
  const Row wanted = feed_last(kD, tail);

  Ignore ignore;
  std::thread aborter([this] { runtime().abort_step(); });
  Feed whole_call{kA, tokens, 0, LogitsWanted::none};
  auto ended = runtime().step({&whole_call, 1}, ignore);
  aborter.join();
  const bool finished_first = ended.has_value();
  if (finished_first) {
    Feed next{kB, tokens, 0, LogitsWanted::none};
    ended = runtime().step({&next, 1}, ignore);
  }
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::cancelled);

  const SequenceId cut = finished_first ? kB : kA;
  const Position computed = runtime().computed(cut);
  ASSERT_GE(computed, 0);
  ASSERT_LE(computed, static_cast<Position>(tokens.size()));
  if (computed < static_cast<Position>(tokens.size())) {
    feed(cut, std::span(tokens).subspan(computed), LogitsWanted::none);
  }
  expect_same(feed_last(cut, tail), wanted, can().chunk_equals_chunk);
}

TEST_P(RuntimeConformance, AnAbortBetweenStepsEndsTheNextOneOnly) {
  const Tokens tokens = text(20);
  std::thread([this] { runtime().abort_step(); }).join();
  Ignore ignore;
  Feed first{kA, tokens, 0, LogitsWanted::last};
  const auto ended = runtime().step({&first, 1}, ignore);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::cancelled);
  const Position computed = runtime().computed(kA);
  if (computed == 20) return;
  EXPECT_EQ(feed(kA, std::span(tokens).subspan(computed)).size(), 1u);
}

}  // namespace
}  // namespace sluice
