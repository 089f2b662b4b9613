// What thread `link` can say of thread `step` without asking it: whether a step runs, since when, and how long it
// should take. Refuses to know what a step is. Thread: begin and end step; read any.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/time.h"

namespace sluice::worker {

class Pulse final {
 public:
  struct Reading {
    uint64_t steps = 0;  // ended
    Duration running{};  // age of the step that runs; 0 between steps
    Duration forecast{};
  };

  void begin(TimePoint now, Duration forecast) {
    forecast_.store(forecast.count(), std::memory_order_relaxed);
    started_.store(now.time_since_epoch().count(), std::memory_order_release);
  }

  void end() {
    steps_.fetch_add(1, std::memory_order_relaxed);
    started_.store(0, std::memory_order_release);
  }

  Reading read(TimePoint now) const {
    const Duration::rep started = started_.load(std::memory_order_acquire);
    Reading reading;
    reading.steps = steps_.load(std::memory_order_relaxed);
    if (started == 0) return reading;
    reading.running = now.time_since_epoch() - Duration(started);
    reading.forecast = Duration(forecast_.load(std::memory_order_relaxed));
    return reading;
  }

 private:
  std::atomic<uint64_t> steps_ = 0;
  std::atomic<Duration::rep> started_ = 0;  // 0: none runs
  std::atomic<Duration::rep> forecast_ = 0;
};

}  // namespace sluice::worker
