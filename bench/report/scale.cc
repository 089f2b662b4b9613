#include "bench/report/scale.h"

#include <algorithm>
#include <cmath>

#include "bench/report/number.h"

namespace sluice::bench::report {
namespace {

constexpr size_t kLogarithmicMarks = 7;
constexpr double kLeast = 1e-9;  // of a span: nothing measured is finer

double round_step(double about) {
  const double power = std::pow(10, std::floor(std::log10(about)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (step * power >= about * 0.999) return step * power;
  }
  return 10 * power;
}

int decimals_for_step(double step) {
  return std::clamp(static_cast<int>(std::ceil(-std::log10(std::abs(step)) - 0.01)), 0, 6);
}

std::vector<double> powers_between(double low, double high, const std::vector<double>& steps) {
  std::vector<double> marks;
  for (double power = std::pow(10, std::floor(std::log10(low))); power <= high; power *= 10) {
    for (const double step : steps) {
      const double mark = power * step;
      if (mark >= low * 0.999 && mark <= high * 1.001) marks.push_back(mark);
    }
  }
  return marks;
}

}  // namespace

Scale Scale::from_zero(double low, double high, double from, double to, int marks) {
  Scale scale;
  const double span = std::max({high - std::min(low, 0.0), std::abs(high) * kLeast, kLeast});
  const double step = round_step(span / marks);
  const double first = std::floor(std::min(low, 0.0) / step);
  const double last = std::max(std::ceil(high / step - kLeast), first + 1);
  for (double i = first; i <= last; ++i) scale.marks_.push_back(i * step);
  scale.low_ = first * step;
  scale.high_ = last * step;
  scale.from_ = from;
  scale.to_ = to;
  return scale;
}

Scale Scale::up_to(double high, double from, double to, int marks) {
  Scale scale = from_zero(0, high, from, to, marks);
  scale.high_ = high > 0 ? high : scale.high_;
  std::erase_if(scale.marks_, [&](double mark) { return mark > scale.high_ * (1 + kLeast); });
  return scale;
}

Scale Scale::logarithmic(double low, double high, double from, double to) {
  Scale scale;
  scale.logarithmic_ = true;
  scale.low_ = std::max(low, kLeast);
  scale.high_ = std::max(high, scale.low_ * 1.1);
  scale.from_ = from;
  scale.to_ = to;
  for (const auto& steps : {std::vector<double>{1, 2, 5}, {1, 3}, {1}}) {
    scale.marks_ = powers_between(scale.low_, scale.high_, steps);
    if (scale.marks_.size() <= kLogarithmicMarks) break;
  }
  return scale;
}

double Scale::at(double value) const {
  const double share = logarithmic_ ? std::log(std::max(value, kLeast) / low_) / std::log(high_ / low_)
                                    : (value - low_) / (high_ - low_);
  return from_ + std::clamp(share, -0.01, 1.01) * (to_ - from_);
}

std::string mark_text(const Scale& scale, double mark) {
  if (mark == 0) return "0";
  if (scale.is_logarithmic()) return number_text(mark, decimals_for_step(mark));
  const auto& marks = scale.marks();
  return number_text(mark, decimals_for_step(marks.size() > 1 ? marks[1] - marks[0] : mark));
}

}  // namespace sluice::bench::report
