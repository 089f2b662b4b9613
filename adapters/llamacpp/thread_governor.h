// How many threads the next pass computes with, from how much of our cores other processes used lately. A pass is as
// fast as its slowest thread: one that has to share its core holds all others up at every barrier, so a core that
// somebody else uses is left to them. Pure: no clock, no files. Thread: step.
#pragma once

#include <cstdint>

#include "base/time.h"

namespace sluice::llamacpp {

class ThreadGovernor final {
 public:
  // `threads_max`: on a machine that nobody else uses. `cores`: those we may run on.
  ThreadGovernor(uint32_t threads_max, uint32_t cores);

  uint32_t threads() const { return threads_; }
  // We used `own` of processor time on our cores within `wall`, and others `others`. Fewer threads at once, more only
  // when it stays calm for a while. A window in which we mostly waited says what was, not what is: all threads then.
  void on_window(Duration wall, Duration own, Duration others);

 private:
  uint32_t threads_within(double cores_left) const;

  uint32_t threads_max_, cores_;
  uint32_t threads_;
  Duration calm_{};  // for how long there has been room for more
};

}  // namespace sluice::llamacpp
