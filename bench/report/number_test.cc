#include "bench/report/number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sluice::bench::report {
namespace {

TEST(ReportNumbers, HaveThreeSignificantDigits) {
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(0.0421), "0.0421");
  EXPECT_EQ(number_text(8.424), "8.42");
  EXPECT_EQ(number_text(84.24), "84.2");
  EXPECT_EQ(number_text(842.4), "842");
  EXPECT_EQ(number_text(8424), "8424");
  EXPECT_EQ(number_text(84240), "84,240");
  EXPECT_EQ(number_text(-1234567), "-1,234,567");
}

TEST(ReportNumbers, ThatAreNoNumbersAreADash) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(number_text(bad), "–");
    EXPECT_EQ(ratio_text(bad), "–");
    EXPECT_EQ(percent_text(bad), "–");
  }
}

TEST(ReportNumbers, HaveUnitsOfASensibleSize) {
  EXPECT_EQ(amount_text(842, "ms"), "842\u00A0ms");
  EXPECT_EQ(amount_text(84200, "ms"), "84.2\u00A0s");
  EXPECT_EQ(amount_text(1300000000, "B"), "1.21\u00A0GiB");
  EXPECT_EQ(amount_text(512, "B"), "512\u00A0B");
  EXPECT_EQ(amount_text(14.2e9, "B/s"), "14.2\u00A0GB/s");
  EXPECT_EQ(amount_text(3, "parsecs"), "3.00\u00A0parsecs");
  EXPECT_EQ(amount_text(3, ""), "3.00");
}

TEST(ReportNumbers, AnIntervalHasTheDigitsOfItsMedian) {
  EXPECT_EQ(interval_text(9.5, 100.25, 10, {}), "[9.5, 100.2]");
  EXPECT_EQ(interval_text(980, 1020, 1000, {}), "[980, 1020]");
  EXPECT_EQ(interval_text(9000, 13000, 12000, {0.001, "s"}), "[9.0, 13.0]");
}

TEST(ReportNumbers, RatiosAndSharesHaveTwoDigits) {
  EXPECT_EQ(ratio_text(1.049), "1.05×");
  EXPECT_EQ(ratio_text(0.5), "0.50×");
  EXPECT_EQ(ratio_text(23.4), "23.4×");
  EXPECT_EQ(percent_text(0.0234), "2.3\u00A0%");
  EXPECT_EQ(percent_text(0.62), "62\u00A0%");
}

TEST(ReportNumbers, SettingsAreExact) {
  EXPECT_EQ(setting_text(16), "16");
  EXPECT_EQ(setting_text(20480), "20,480");
  EXPECT_EQ(setting_text(0.25), "0.25");
}

TEST(ReportNumbers, DatesAreUtc) {
  EXPECT_EQ(date_text(1764450000), "2025-11-29 21:00 UTC");
  EXPECT_EQ(date_text(951827696), "2000-02-29 12:34 UTC");
  EXPECT_EQ(date_text(0), "date unknown");
  EXPECT_EQ(date_text(std::numeric_limits<int64_t>::max()), "date unknown");
}

}  // namespace
}  // namespace sluice::bench::report
