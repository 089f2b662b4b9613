// LogitsWanted::likeliest: where it is offered it is the highest logit of the same row, whatever its sequence asked for
// before and its neighbours ask for now.
#include <algorithm>

#include "runtime/conformance.h"

namespace sluice {
namespace {

struct Collected : LogitsSink {
  void on_logits(SequenceId seq, Position, std::span<const float> row) override {
    rows.emplace_back(seq, highest(row));
  }
  void on_likeliest(SequenceId seq, Position, std::optional<Token> token) override {
    tokens.emplace_back(seq, token.value_or(-1));
  }
  static Token highest(std::span<const float> row) {
    return static_cast<Token>(std::ranges::max_element(row) - row.begin());
  }
  std::vector<std::pair<SequenceId, Token>> rows, tokens;
};

using Chosen = std::vector<std::pair<SequenceId, Token>>;

}  // namespace

TEST_P(RuntimeConformance, ALikeliestTokenIsRefusedWhereItIsNotOffered) {
  if (can().device_sampling.holds) GTEST_SKIP() << "it is offered";
  const Tokens tokens = text(5);
  expect_refused({{kA, tokens, 0, LogitsWanted::likeliest}});
}

TEST_P(RuntimeConformance, TheLikeliestTokenIsTheHighestOfItsRow) {
  if (!can().device_sampling.holds) GTEST_SKIP() << can().device_sampling.reason;
  for (uint32_t variant = 0; variant < 4; ++variant) {
    const Tokens tokens = text(9, variant);
    Collected collected;
    for (const LogitsWanted wanted : {LogitsWanted::likeliest, LogitsWanted::last, LogitsWanted::likeliest}) {
      runtime().drop(kB);
      const Feed feed{kB, tokens, 0, wanted};
      ASSERT_TRUE(runtime().step({&feed, 1}, collected));
    }
    ASSERT_EQ(collected.rows.size(), 1u);
    const auto row = collected.rows.front();
    EXPECT_EQ(collected.tokens, (Chosen{row, row})) << variant;
  }
}

TEST_P(RuntimeConformance, NeighboursMayAskForRowsWhereOneAsksForItsLikeliestToken) {
  if (!can().device_sampling.holds) GTEST_SKIP() << can().device_sampling.reason;
  const Tokens a = text(6, 0), b = text(6, 1), c = text(6, 2);
  Collected alone, mixed;
  const auto feeds = [&](LogitsWanted first, LogitsWanted second) {
    return std::vector<Feed>{{kA, a, 0, first}, {kB, b, 0, second}, {kC, c, 0, first}};
  };
  ASSERT_TRUE(runtime().step(feeds(LogitsWanted::last, LogitsWanted::last), alone));
  for (const SequenceId seq : {kA, kB, kC}) runtime().drop(seq);
  ASSERT_TRUE(runtime().step(feeds(LogitsWanted::likeliest, LogitsWanted::last), mixed));
  ASSERT_EQ(alone.rows.size(), 3u);
  EXPECT_EQ(mixed.rows, (Chosen{alone.rows[1]}));
  EXPECT_EQ(mixed.tokens, (Chosen{alone.rows[0], alone.rows[2]}));
}

}  // namespace sluice
