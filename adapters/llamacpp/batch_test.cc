#include "adapters/llamacpp/batch.h"

#include <gtest/gtest.h>

namespace sluice::llamacpp {
namespace {

const std::vector<Token> kTokens(100, 7);

Feed feed(int32_t seq, size_t tokens, LogitsWanted logits) {
  return {SequenceId{seq}, std::span(kTokens).first(tokens), 10, logits};
}

TEST(Batch, AnOrdinaryStepIsOneCall) {
  const std::vector<Feed> feeds = {feed(0, 1, LogitsWanted::last), feed(1, 90, LogitsWanted::none),
                                   feed(2, 1, LogitsWanted::last)};
  const auto calls = cut_by_outputs(feeds, 2);
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].size(), 3u);
}

TEST(Batch, MoreRowsThanACallGivesAreSeveralCalls) {
  const std::vector<Feed> feeds = {feed(0, 1, LogitsWanted::last), feed(1, 5, LogitsWanted::last),
                                   feed(2, 1, LogitsWanted::last)};
  const auto calls = cut_by_outputs(feeds, 2);
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].size(), 2u);
  ASSERT_EQ(calls[1].size(), 1u);
  EXPECT_EQ(calls[1][0].seq.raw, 2);
}

TEST(Batch, AFeedOfManyWantedRowsIsCutWithoutLosingOne) {
  const std::vector<Feed> feeds = {feed(0, 1, LogitsWanted::last), feed(1, 100, LogitsWanted::all)};
  const auto calls = cut_by_outputs(feeds, 64);
  ASSERT_EQ(calls.size(), 2u);
  ASSERT_EQ(calls[0].size(), 2u);
  EXPECT_EQ(calls[0][1].tokens.size(), 63u);
  EXPECT_EQ(calls[0][1].first, 10);
  ASSERT_EQ(calls[1].size(), 1u);
  EXPECT_EQ(calls[1][0].tokens.size(), 37u);
  EXPECT_EQ(calls[1][0].first, 73);
}

TEST(Batch, RowsAreSortedBySequence) {
  const std::vector<Feed> feeds = {feed(5, 1, LogitsWanted::last), feed(0, 1, LogitsWanted::last),
                                   feed(3, 1, LogitsWanted::last)};
  EXPECT_EQ(by_sequence(feeds), (std::vector<size_t>{1, 2, 0}));
}

}  // namespace
}  // namespace sluice::llamacpp
