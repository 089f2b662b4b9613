#include "tuning/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tuning/test_values.h"

namespace sluice::tuning {
namespace {

using testing::HasSubstr;

TEST(TuningTable, FiguresAreTokensPerSecond) {
  const std::string table = table_of(sample_stored().tuning);
  EXPECT_THAT(table,
              HasSubstr("  off                    2     512    100.0    62.5    250.0   100.0    3.06 s  chosen\n"));
  EXPECT_THAT(table, HasSubstr("  on                     2     569    100.0    20.0    250.0    25.0"));
  EXPECT_THAT(table, HasSubstr("8 lanes"));
  EXPECT_THAT(table, HasSubstr("deep: after 2048"));
}

TEST(TuningTable, WithoutFiguresThereIsNone) { EXPECT_EQ(table_of({}), ""); }

}  // namespace
}  // namespace sluice::tuning
