// Time inside a process is monotonic; wall clock only for `created` and logs. Thread: any.
#pragma once

#include <chrono>

namespace sluice {

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;
using Duration = Clock::duration;

inline double to_ms(Duration d) { return std::chrono::duration<double, std::milli>(d).count(); }
inline double to_seconds(Duration d) { return std::chrono::duration<double>(d).count(); }
inline Duration from_us(double us) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double, std::micro>(us));
}

}  // namespace sluice
