#include "engine/cut.h"

#include <gtest/gtest.h>

namespace sluice::engine {
namespace {

constexpr CutRules kRules{.can_truncate = true, .decode_equals_prefill = true, .rows_max = 512};

std::vector<Position> pieces(Position prompt, Position budget, const CutRules& rules) {
  std::vector<Position> out;
  for (Position left = prompt; left > 0; left -= out.back()) out.push_back(piece_rows(left, budget, rules));
  return out;
}

TEST(Cut, NoPromptIsCutSoThatARowStandsAlone) {
  for (Position rows_max : {3, 4, 17, 512}) {
    const CutRules rules{.can_truncate = true, .decode_equals_prefill = true, .rows_max = rows_max};
    for (Position prompt = 2; prompt <= 300; ++prompt) {
      for (Position budget = 0; budget <= 70; ++budget) {
        for (const Position rows : pieces(prompt, budget, rules)) {
          ASSERT_GE(rows, 2) << prompt << " rows, budget " << budget << ", at most " << rows_max;
          ASSERT_LE(rows, rows_max);
          ASSERT_LE(rows, std::max(budget, 3));
        }
      }
    }
  }
}

TEST(Cut, ALastRowIsLeftACompanion) { EXPECT_EQ(pieces(65, 64, kRules), (std::vector<Position>{63, 2})); }

TEST(Cut, APromptOfOneTokenIsOneRow) { EXPECT_EQ(pieces(1, 64, kRules), (std::vector<Position>{1})); }

TEST(Cut, CallsOfOneOrTwoRowsStillEnd) {
  EXPECT_EQ(pieces(3, 64, {.rows_max = 1}), (std::vector<Position>{1, 1, 1}));
  EXPECT_EQ(pieces(5, 64, {.rows_max = 2}), (std::vector<Position>{2, 2, 1}));
  EXPECT_EQ(resume_point({.prompt = 5, .known = 5, .computed = 4}, {.can_truncate = false, .rows_max = 2}), 4);
}

TEST(ResumePoint, APromptThatIsAllComputedGivesBackTwoRows) {
  EXPECT_EQ(resume_point({.prompt = 10, .known = 10, .computed = 10}, kRules), 8);
  EXPECT_EQ(resume_point({.prompt = 2, .known = 2, .computed = 2}, kRules), 0);
  EXPECT_EQ(resume_point({.prompt = 1, .known = 1, .computed = 1}, kRules), 0);
}

TEST(ResumePoint, APromptThatLacksOneRowGivesBackAnother) {
  EXPECT_EQ(resume_point({.prompt = 10, .known = 10, .computed = 9}, kRules), 8);
}

TEST(ResumePoint, LongerRemaindersAreLeftAsTheyAre) {
  for (Position computed = 0; computed <= 8; ++computed) {
    EXPECT_EQ(resume_point({.prompt = 10, .known = 10, .computed = computed}, kRules), computed);
  }
}

TEST(ResumePoint, AnAnswerWhoseLogitsWereLostGivesBackOneRow) {
  EXPECT_EQ(resume_point({.prompt = 10, .known = 14, .computed = 14}, kRules), 13);
  EXPECT_EQ(resume_point({.prompt = 10, .known = 14, .computed = 13}, kRules), 13);
}

TEST(ResumePoint, WithoutTruncationItStartsAgain) {
  const CutRules rules{.can_truncate = false, .decode_equals_prefill = true, .rows_max = 512};
  EXPECT_EQ(resume_point({.prompt = 10, .known = 10, .computed = 10}, rules), 0);
  EXPECT_EQ(resume_point({.prompt = 10, .known = 10, .computed = 9}, rules), 0);
  EXPECT_EQ(resume_point({.prompt = 10, .known = 10, .computed = 8}, rules), 8);
}

TEST(RowsWanted, AnAnswerIsRecomputedAloneWhereWidthMatters) {
  const CutRules alone{.can_truncate = true, .decode_equals_prefill = false, .rows_max = 512};
  EXPECT_EQ(rows_wanted({.prompt = 10, .known = 14, .computed = 0}, alone), 10);
  EXPECT_EQ(rows_wanted({.prompt = 10, .known = 14, .computed = 10}, alone), 1);
  EXPECT_EQ(rows_wanted({.prompt = 10, .known = 14, .computed = 0}, kRules), 14);
}

}  // namespace
}  // namespace sluice::engine
