#include "telemetry/rate_window.h"

#include <chrono>

namespace sluice::telemetry {
namespace {

int64_t second_of(TimePoint when) { return std::chrono::floor<std::chrono::seconds>(when.time_since_epoch()).count(); }

}  // namespace

void RateWindow::add(TimePoint when, uint64_t count) {
  const int64_t second = second_of(when);
  Bucket& bucket = buckets_[static_cast<size_t>(second % kSeconds)];
  if (bucket.second != second) bucket = {second, 0};
  bucket.count += count;
}

double RateWindow::per_second(TimePoint now) const {
  const int64_t second = second_of(now);
  uint64_t sum = 0;
  for (const Bucket& bucket : buckets_) {
    if (bucket.second > second - kSeconds && bucket.second <= second) sum += bucket.count;
  }
  const double in_this_second = to_seconds(now.time_since_epoch() - std::chrono::seconds(second));
  return static_cast<double>(sum) / (kSeconds - 1 + in_this_second);
}

}  // namespace sluice::telemetry
