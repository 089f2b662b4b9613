// How far a run is, on one line of a terminal, with the time left. Refuses to know what is measured. Thread: one.
#pragma once

#include <cstdint>
#include <string>

#include "base/time.h"

namespace sluice::bench {

// "[#####-----]  50 %  decode, 8 streams, greedy: 4 of 10, sluice · 3 min left". Samples cost what they did so far.
std::string progress_line(uint64_t done, uint64_t all, Duration spent, const std::string& what);

class Progress final {
 public:
  explicit Progress(uint64_t all);
  ~Progress();
  void on(const std::string& what);  // about to be measured
  void one_done() { ++done_; }
  void more(uint64_t samples) { all_ += samples; }
  void say(const std::string& line);  // stays on the screen

 private:
  uint64_t all_, done_ = 0;
  TimePoint begun_;
  bool terminal_;
};

}  // namespace sluice::bench
