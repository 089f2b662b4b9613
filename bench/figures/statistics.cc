#include "bench/figures/statistics.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "engine/philox.h"

namespace sluice::bench {
namespace {

constexpr uint32_t kResamples = 2000;
constexpr double kLow = 0.025, kHigh = 0.975;

// A number below `bound`; the bias of the multiplication is below 2^-32 x bound.
size_t draw(uint64_t seed, uint32_t resample, uint32_t index, size_t bound) {
  const auto bits =
      engine::philox4x32_10({resample, index, 0, 0}, {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)});
  return static_cast<size_t>((uint64_t{bits[0]} * bound) >> 32);
}

}  // namespace

double quantile(std::vector<double> values, double q) {
  CHECK(!values.empty() && q >= 0 && q <= 1);
  std::ranges::sort(values);
  const double place = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], place - static_cast<double>(below));
}

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

Interval median_interval(std::span<const double> values, uint64_t seed) {
  CHECK(!values.empty());
  std::vector<double> medians(kResamples), resample(values.size());
  for (uint32_t i = 0; i < kResamples; ++i) {
    for (uint32_t k = 0; k < resample.size(); ++k) resample[k] = values[draw(seed, i, k, values.size())];
    medians[i] = median(resample);
  }
  return {quantile(medians, kLow), quantile(medians, kHigh)};
}

std::optional<Ratio> paired_ratio(std::span<const std::pair<double, double>> over_and_under, uint64_t seed) {
  std::vector<double> ratios;
  for (const auto& [over, under] : over_and_under) {
    if (under != 0) ratios.push_back(over / under);
  }
  if (ratios.empty()) return std::nullopt;
  return Ratio{median(ratios), median_interval(ratios, seed), static_cast<uint32_t>(ratios.size())};
}

}  // namespace sluice::bench
