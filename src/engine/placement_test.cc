#include "engine/placement.h"

#include <gtest/gtest.h>

#include <numeric>

namespace sluice::engine {
namespace {

using Tokens = std::vector<Token>;

Tokens range(Token first, int count) {
  Tokens out(static_cast<size_t>(count));
  std::iota(out.begin(), out.end(), first);
  return out;
}

EngineConfig config() {
  EngineConfig c;
  c.lanes = 6;
  return c;
}

class PlacementTest : public ::testing::Test {
 protected:
  void cache(int32_t seq, const Tokens& tokens) {
    hold(seq);
    sequences_.append({seq}, tokens);
    sequences_.release({seq});
  }
  void hold(int32_t seq) { sequences_.hold({seq}, GenerationId{++ids_}); }
  void expect(const Tokens& prompt, int32_t seq, Position keep) const {
    const auto chosen = choose_sequence(sequences_, {prompt, static_cast<uint32_t>(prompt.size())}, config_);
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->seq, SequenceId{seq});
    EXPECT_EQ(chosen->keep, keep);
  }

  EngineConfig config_ = config();
  Sequences sequences_{6};
  uint64_t ids_ = 0;
};

TEST_F(PlacementTest, TheLongestUsefulPrefixWins) {
  cache(1, range(0, 10));
  cache(4, range(0, 20));
  expect(range(0, 40), 4, 20);
}

TEST_F(PlacementTest, ATinyMatchDoesNotDestroyALongCacheWhileASequenceIsEmpty) {
  cache(0, range(0, 100));
  Tokens prompt = range(0, 10);
  prompt.resize(50, 7);
  expect(prompt, 1, 0);
}

TEST_F(PlacementTest, ATinyMatchYieldsToTheLeastRecentlyUsed) {
  cache(3, range(500, 30));
  cache(0, range(0, 100));
  for (const int32_t seq : {1, 2, 4, 5}) cache(seq, range(200 + 100 * seq, 30));
  Tokens prompt = range(0, 10);
  prompt.resize(50, 7);
  expect(prompt, 3, 0);
}

TEST_F(PlacementTest, WhereEveryCacheMatchesALittleTheOldestKeepsItsPart) {
  for (const int32_t seq : {2, 0, 1, 3, 4, 5}) {
    Tokens tokens = range(0, 10);
    tokens.resize(60, 100 + seq);
    cache(seq, tokens);
  }
  expect(range(0, 30), 2, 10);
}

TEST_F(PlacementTest, HalfOfACacheIsAMatch) {
  cache(0, range(0, 20));
  Tokens prompt = range(0, 10);
  prompt.resize(50, 7);
  expect(prompt, 0, 10);
}

TEST_F(PlacementTest, AnEmptySequenceNextToTheRunningOnesIsTaken) {
  hold(2);
  hold(3);
  expect(range(0, 10), 1, 0);
  hold(1);
  hold(0);
  expect(range(0, 10), 4, 0);
}

TEST_F(PlacementTest, AHoleAmongTheRunningOnesIsFilledFirst) {
  hold(1);
  hold(3);
  expect(range(0, 10), 2, 0);
}

TEST_F(PlacementTest, WithoutAdjacencyTheLowestIdIsTaken) {
  config_.adjacent_ids_per_pass = false;
  hold(3);
  expect(range(0, 10), 0, 0);
}

TEST_F(PlacementTest, EqualMatchesGoToTheIdNextToTheRunningOnes) {
  cache(0, range(0, 20));
  cache(5, range(0, 20));
  hold(4);
  expect(range(0, 40), 5, 20);
}

TEST_F(PlacementTest, WhenAllAreHeldThereIsNone) {
  for (const int32_t seq : {0, 1, 2, 3, 4, 5}) hold(seq);
  EXPECT_FALSE(choose_sequence(sequences_, {range(0, 10), 10}, config_));
}

TEST_F(PlacementTest, AFullHitGivesBackTwoRows) {
  cache(0, range(0, 20));
  expect(range(0, 20), 0, 18);
  expect(range(0, 21), 0, 19);
  expect(range(0, 22), 0, 20);
  expect(range(0, 15), 0, 13);
}

TEST_F(PlacementTest, WithoutTruncationOnlyAWholeSequenceIsTaken) {
  config_.can_truncate = false;
  cache(0, range(0, 20));
  expect(range(0, 40), 0, 20);
  expect(range(0, 19), 1, 0);
  expect(range(0, 21), 1, 0);
}

TEST_F(PlacementTest, WhereWidthMattersOnlyWideRowsAreTaken) {
  config_.decode_equals_prefill = false;
  hold(0);
  sequences_.append({0}, range(0, 10));
  for (Token t = 10; t < 14; ++t) sequences_.append({0}, Tokens{t});
  sequences_.release({0});
  expect(range(0, 40), 0, 10);
  config_.decode_equals_prefill = true;
  expect(range(0, 40), 0, 14);
}

}  // namespace
}  // namespace sluice::engine
