#include "supervisor/liveness.h"

#include <fmt/format.h>

#include <algorithm>

#include "supervisor/words.h"

namespace sluice::supervisor {

Liveness::Liveness(LivenessTiming timing) : timing_(timing) {}

Liveness::Verdict Liveness::on_ping_due() {
  const auto unanswered = static_cast<int64_t>(sent_ - answered_);
  if (unanswered > 0 && unanswered * timing_.ping_interval >= timing_.hung_step_min) {
    return "has not answered for " + seconds_of(unanswered * timing_.ping_interval);
  }
  ++sent_;
  return std::nullopt;
}

Liveness::Verdict Liveness::on_pong(const Pong& pong) {
  if (pong.number <= answered_ || pong.number > sent_) return "answered a ping that was not sent";
  answered_ = pong.number;
  const Duration allowed = std::max(timing_.hung_step_min, timing_.hung_step_forecasts * pong.forecast);
  if (pong.running_step <= allowed) return std::nullopt;
  return fmt::format("hangs: its step has run for {}, where {} are the most", seconds_of(pong.running_step),
                     seconds_of(allowed));
}

}  // namespace sluice::supervisor
