// How long a process may take for what. The defaults are the limits; tests give shorter ones. Thread: any (values).
#pragma once

#include "base/limits.h"
#include "base/time.h"

namespace sluice::supervisor {

struct BackoffTiming {
  Duration min = limits::restart_backoff_min;
  Duration max = limits::restart_backoff_max;
  Duration reset = limits::restart_backoff_reset;  // ready for so long: the next death starts at min again
};

struct LivenessTiming {
  Duration ping_interval = limits::ping_interval;
  Duration hung_step_min = limits::hung_step_min;
  int hung_step_forecasts = limits::hung_step_forecasts;
};

struct ProcessTiming {
  Duration hello_max = limits::hello_time_max;
  Duration exit_max = limits::process_exit_time_max;
  BackoffTiming backoff;
};

}  // namespace sluice::supervisor
