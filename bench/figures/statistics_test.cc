#include "bench/figures/statistics.h"

#include <gtest/gtest.h>

namespace sluice::bench {
namespace {

TEST(Statistics, QuantilesLieBetweenTheNearestRanks) {
  const std::vector<double> values = {40, 10, 30, 20};
  EXPECT_DOUBLE_EQ(quantile(values, 0), 10);
  EXPECT_DOUBLE_EQ(quantile(values, 0.5), 25);
  EXPECT_DOUBLE_EQ(quantile(values, 0.9), 37);
  EXPECT_DOUBLE_EQ(quantile(values, 1), 40);
  EXPECT_DOUBLE_EQ(median({7}), 7);
  EXPECT_DOUBLE_EQ(median({1, 100, 2}), 2);
}

TEST(Statistics, AnIntervalHoldsItsMedianAndStaysWithinTheValues) {
  const std::vector<double> values = {10, 11, 12, 13, 14, 15, 16, 17, 90};
  const Interval interval = median_interval(values, 1);
  EXPECT_LE(interval.low, 14);
  EXPECT_GE(interval.high, 14);
  EXPECT_GE(interval.low, 10);
  EXPECT_LT(interval.high, 90) << "one outlier among nine is seldom the median of a resample";
  EXPECT_LT(interval.low, interval.high);
}

// Of nine values the median's 95 % interval lies between the 2nd and the 8th order statistic: binomial(9, 1/2) leaves
// 2.0 % on each side of those, and 9.0 % of the 3rd and 7th.
TEST(Statistics, AnIntervalOfNineValuesIsThatOfTheOrderStatistics) {
  const std::vector<double> values = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const Interval interval = median_interval(values, 7);
  EXPECT_GE(interval.low, 2);
  EXPECT_LE(interval.low, 3);
  EXPECT_GE(interval.high, 7);
  EXPECT_LE(interval.high, 8);
}

TEST(Statistics, TheSameSeedGivesTheSameInterval) {
  const std::vector<double> values = {3, 1, 4, 1, 5, 9, 2, 6, 5.5};
  const Interval a = median_interval(values, 1), b = median_interval(values, 1);
  EXPECT_EQ(a.low, b.low);
  EXPECT_EQ(a.high, b.high);
}

TEST(Statistics, OneValueIsItsOwnInterval) {
  const Interval interval = median_interval(std::vector<double>{5}, 1);
  EXPECT_EQ(interval.low, 5);
  EXPECT_EQ(interval.high, 5);
}

TEST(Statistics, ARatioIsOfPairsSoThatADriftOfTheMachineCancels) {
  std::vector<std::pair<double, double>> pairs;
  for (int speed = 1; speed <= 9; ++speed) pairs.emplace_back(1.1 * speed, speed);
  const auto ratio = paired_ratio(pairs, 1);
  ASSERT_TRUE(ratio);
  EXPECT_NEAR(ratio->median, 1.1, 1e-9);
  EXPECT_NEAR(ratio->interval.low, 1.1, 1e-9);
  EXPECT_NEAR(ratio->interval.high, 1.1, 1e-9);
  EXPECT_EQ(ratio->pairs, 9u);
}

TEST(Statistics, PairsWithNothingBelowAreLeftOut) {
  EXPECT_FALSE(paired_ratio({}, 1));
  const std::vector<std::pair<double, double>> none = {{1, 0}};
  EXPECT_FALSE(paired_ratio(none, 1));
}

}  // namespace
}  // namespace sluice::bench
