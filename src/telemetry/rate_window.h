// How many a second, over the last ten seconds: events go in with their times, a rate comes out. Pure: it has no clock
// of its own. Thread: one at a time.
#pragma once

#include <array>
#include <cstdint>

#include "base/time.h"

namespace sluice::telemetry {

class RateWindow final {
 public:
  static constexpr int kSeconds = 10;
  void add(TimePoint when, uint64_t count);  // not before the latest `when` by more than the window
  // The mean of the running second and the nine before it.
  double per_second(TimePoint now) const;

 private:
  struct Bucket {
    int64_t second = -1;  // since the clock's epoch; which second `count` is of
    uint64_t count = 0;
  };
  std::array<Bucket, kSeconds> buckets_;
};

}  // namespace sluice::telemetry
