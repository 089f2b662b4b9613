// Judges from a worker's Pongs whether it moves. It hangs when its running step is far older than forecast, or when it
// leaves pings unanswered. Silence is counted in pings and not in time, so that a daemon which did not run itself does
// not take its worker for hung. Pure. Thread: core.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/time.h"
#include "supervisor/timing.h"

namespace sluice::supervisor {

class Liveness final {
 public:
  explicit Liveness(LivenessTiming timing);

  struct Pong {
    uint64_t number = 0;
    Duration running_step{};  // its age; 0 between steps
    Duration forecast{};
  };
  // Words that follow "the worker process": why it is to be replaced. Absent: it lives.
  using Verdict = std::optional<std::string>;

  Verdict on_ping_due();  // absent: ping it with last_ping()
  Verdict on_pong(const Pong& pong);
  uint64_t last_ping() const { return sent_; }

 private:
  LivenessTiming timing_;
  uint64_t sent_ = 0;
  uint64_t answered_ = 0;
};

}  // namespace sluice::supervisor
