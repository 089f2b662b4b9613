// Medians, quantiles and bootstrap intervals. Pure and seeded: the same numbers give the same interval. Thread: any.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace sluice::bench {

// Linear between the two nearest ranks (Hyndman and Fan's type 7). `values` is not empty; 0 <= q <= 1.
double quantile(std::vector<double> values, double q);
double median(std::vector<double> values);

struct Interval {
  double low = 0, high = 0;
};

// The percentile bootstrap of the median, 95 %, 2,000 resamples (Efron 1979). Of one value: that value twice.
Interval median_interval(std::span<const double> values, uint64_t seed);

struct Ratio {
  double median = 0;
  Interval interval;
  uint32_t pairs = 0;
};

// Of pairs measured in one round: the median of their ratios, and its interval. Pairs with 0 below are left out; absent
// where none is left.
std::optional<Ratio> paired_ratio(std::span<const std::pair<double, double>> over_and_under, uint64_t seed);

}  // namespace sluice::bench
