// How long to wait before a process that died is started again: doubling from min to max, from the start again after a
// healthy time. Pure: time comes in. Thread: core.
#pragma once

#include <optional>

#include "base/time.h"
#include "supervisor/timing.h"

namespace sluice::supervisor {

class Backoff final {
 public:
  explicit Backoff(BackoffTiming timing);
  void on_ready(TimePoint now);
  Duration on_death(TimePoint now);  // the delay before the next start

 private:
  BackoffTiming timing_;
  std::optional<TimePoint> ready_since_;
  Duration next_;
};

}  // namespace sluice::supervisor
