#include "engine/sequences.h"

#include <gtest/gtest.h>

namespace sluice::engine {
namespace {

using Tokens = std::vector<Token>;

TEST(Sequences, WideRowsAreCountedUpToTheFirstThatWasComputedAlone) {
  Sequences s(2);
  s.append({0}, Tokens{1, 2, 3});
  s.append({0}, Tokens{4, 5});
  EXPECT_EQ(s.at({0}).wide_upto, 5);
  s.append({0}, Tokens{6});
  s.append({0}, Tokens{7, 8});
  EXPECT_EQ(s.at({0}).wide_upto, 5);
  EXPECT_EQ(s.at({0}).computed(), 8);
}

TEST(Sequences, CutAndCopyKeepTheCountOfWideRowsTrue) {
  Sequences s(2);
  s.append({0}, Tokens{1, 2, 3});
  s.append({0}, Tokens{4});
  s.copy({0}, {1}, 4);
  EXPECT_EQ(s.at({1}).wide_upto, 3);
  s.cut({0}, 2);
  EXPECT_EQ(s.at({0}).wide_upto, 2);
  s.append({0}, Tokens{9, 9});
  EXPECT_EQ(s.at({0}).wide_upto, 4);
}

TEST(Sequences, AReleasedSequenceKeepsItsTokensAndIsCached) {
  Sequences s(1);
  s.hold({0}, GenerationId{7});
  s.append({0}, Tokens{1, 2});
  EXPECT_FALSE(s.at({0}).is_cached());
  s.release({0});
  EXPECT_TRUE(s.at({0}).is_cached());
  EXPECT_EQ(s.at({0}).tokens, (Tokens{1, 2}));
}

TEST(Sequences, TheOneReleasedFirstIsLeastRecentlyUsed) {
  Sequences s(3);
  for (const int32_t id : {0, 1, 2}) {
    s.hold({id}, GenerationId{static_cast<uint64_t>(id + 1)});
    s.append({id}, Tokens{1, 2});
  }
  EXPECT_EQ(s.least_recently_used(), std::nullopt);
  for (const int32_t id : {2, 0, 1}) s.release({id});
  EXPECT_EQ(s.least_recently_used(), SequenceId{2});
}

TEST(SequencesDeathTest, ALostSequenceTakesNoTokensUntilItIsDropped) {
  Sequences s(1);
  s.append({0}, Tokens{1, 2});
  s.lose({0});
  EXPECT_DEATH(s.append({0}, Tokens{1}), "CHECK failed");
  s.clear({0});
  s.append({0}, Tokens{1});
  EXPECT_EQ(s.at({0}).computed(), 1);
}

}  // namespace
}  // namespace sluice::engine
