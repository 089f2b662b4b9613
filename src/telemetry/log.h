// Lines for people, on stderr, written by one thread named `log`. What waits is bounded; when stderr is slower than the
// daemon the oldest waiting lines are lost and counted, because a pipe that nobody reads must not stop the core thread,
// and the latest lines are the ones that explain what is happening. Refuses to know what the lines say.
//
// Thread: any (writes); Lifetime: the process's; destroying it writes what waits.
#pragma once

#include <cstdint>
#include <memory>
#include <ostream>
#include <string_view>

#include "base/limits.h"

namespace sluice::telemetry {

enum class LogLevel : uint8_t { error, warn, info, debug };

class Log final {
 public:
  struct Options {
    LogLevel level = LogLevel::info;  // and what is more urgent
    size_t queue_lines_max = limits::log_queue_lines_max;
    std::ostream* out = nullptr;  // null: stderr
  };
  explicit Log(Options options);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void write(LogLevel level, std::string_view line);
  void error(std::string_view line) { write(LogLevel::error, line); }
  void warn(std::string_view line) { write(LogLevel::warn, line); }
  void info(std::string_view line) { write(LogLevel::info, line); }
  void debug(std::string_view line) { write(LogLevel::debug, line); }
  uint64_t lost_lines() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sluice::telemetry
