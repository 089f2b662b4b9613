// Time inside a process is monotonic; wall clock only for `created`, logs and what is kept. Thread: any.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace sluice {

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;
using Duration = Clock::duration;

inline double to_ms(Duration d) { return std::chrono::duration<double, std::milli>(d).count(); }
inline double to_seconds(Duration d) { return std::chrono::duration<double>(d).count(); }
// Whole microseconds, as messages carry them; 0 where it is negative.
inline uint64_t us_of(Duration d) {
  return static_cast<uint64_t>(std::max<int64_t>(0, std::chrono::duration_cast<std::chrono::microseconds>(d).count()));
}
// The wall clock's, since 1970.
inline int64_t unix_seconds() {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(since_epoch).count();
}
inline Duration from_us(double us) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double, std::micro>(us));
}

}  // namespace sluice
