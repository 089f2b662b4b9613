// How a daemon ends: which step of its ending it is in, and when the next one is due. Decides only: what each step
// does to sockets and generations is daemon.cc's.
//
// Thread: core. Pure: no clock, no sockets.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/limits.h"
#include "base/time.h"

namespace sluice::daemon {

enum class DrainState : uint8_t {
  serving,
  notice,    // /health says draining, so that routers look elsewhere; new requests are still served
  refusing,  // new requests get 503; running answers go on
  closing,   // no answer runs; what is written is being sent, then connections close
  ended,
};
std::string_view name_of(DrainState state);
bool may_follow(DrainState from, DrainState to);

class Drain final {
 public:
  explicit Drain(Duration limit) : limit_(limit) {}  // --drain-seconds: notice and refusing together

  void on_signal(TimePoint now);          // the first begins the drain, a second ends at once
  void on_startup_failed(TimePoint now);  // nothing can be served: straight to closing
  void on_idle(TimePoint now);            // no generation lives
  void on_closed();                       // no connection is open
  void on_tick(TimePoint now);

  DrainState state() const { return state_; }
  std::optional<TimePoint> next_deadline() const { return deadline_; }

 private:
  void enter(DrainState next, std::optional<TimePoint> deadline);

  Duration limit_;
  DrainState state_ = DrainState::serving;
  TimePoint limit_ends_{};
  std::optional<TimePoint> deadline_;  // of state_
};

}  // namespace sluice::daemon
