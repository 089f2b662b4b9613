#include "admission/bucket.h"

#include <algorithm>
#include <cmath>

namespace sluice::admission {
namespace {
constexpr double kSecondsOfAMinute = 60;
}

double Bucket::left_at(TimePoint now) const {
  const double refilled = to_seconds(now - when_) * per_minute_ / kSecondsOfAMinute;
  return std::min<double>(left_ + refilled, per_minute_);
}

void Bucket::take(double amount, TimePoint now) {
  left_ = left_at(now) - amount;
  when_ = now;
}

void Bucket::give_back(double amount, TimePoint now) {
  left_ = left_at(now) + amount;
  when_ = now;
}

std::chrono::seconds Bucket::wait(TimePoint now) const {
  constexpr double kRounding = 1e-6;  // what lacks so little is there
  const double missing = 1 - kRounding - left_at(now);
  if (missing <= 0) return {};
  return std::chrono::seconds(static_cast<int64_t>(std::ceil(missing * kSecondsOfAMinute / per_minute_)));
}

void Bucket::change(uint32_t per_minute, TimePoint now) {
  const double taken = per_minute_ - left_at(now);
  per_minute_ = per_minute;
  left_ = per_minute - taken;
  when_ = now;
}

}  // namespace sluice::admission
