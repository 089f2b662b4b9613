#include <gtest/gtest.h>

#include "base/check.h"
#include "base/error.h"
#include "base/ids.h"

namespace sluice {
namespace {

TEST(Error, EveryCodeHasItsOwnName) {
  for (int i = 0; i <= static_cast<int>(kLastErrorCode); ++i) {
    EXPECT_NE(name_of(static_cast<ErrorCode>(i)), "unknown") << i;
  }
  EXPECT_EQ(name_of(ErrorCode::context_length), "context_length");
}

TEST(Error, AFailureCarriesCodeWordsAndField) {
  const Result<int> failed = fail(ErrorCode::invalid, "must be positive", "n");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::invalid);
  EXPECT_EQ(failed.error().field, "n");
}

TEST(CheckDeathTest, AFalseConditionEndsTheProcessAndNamesIt) {
  EXPECT_DEATH(CHECK(1 + 1 == 3), "CHECK failed: 1 \\+ 1 == 3");
}

TEST(Ids, CompareByValue) {
  EXPECT_EQ(GenerationId{7}, GenerationId{7});
  EXPECT_LT(SequenceId{1}, SequenceId{2});
}

}  // namespace
}  // namespace sluice
