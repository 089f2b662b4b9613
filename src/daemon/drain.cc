#include "daemon/drain.h"

#include <algorithm>

#include "base/check.h"

namespace sluice::daemon {

std::string_view name_of(DrainState state) {
  switch (state) {
    case DrainState::serving: return "serving";
    case DrainState::notice: return "notice";
    case DrainState::refusing: return "refusing";
    case DrainState::closing: return "closing";
    case DrainState::ended: return "ended";
  }
  UNREACHABLE();
}

bool may_follow(DrainState from, DrainState to) {
  switch (from) {
    case DrainState::serving: return to == DrainState::notice || to == DrainState::closing;
    case DrainState::notice: return to == DrainState::refusing || to == DrainState::ended;
    case DrainState::refusing: return to == DrainState::closing || to == DrainState::ended;
    case DrainState::closing: return to == DrainState::ended;
    case DrainState::ended: return false;
  }
  UNREACHABLE();
}

void Drain::enter(DrainState next, std::optional<TimePoint> deadline) {
  CHECK(may_follow(state_, next));
  state_ = next;
  deadline_ = deadline;
}

void Drain::on_signal(TimePoint now) {
  switch (state_) {
    case DrainState::serving:
      limit_ends_ = now + limit_;
      return enter(DrainState::notice, now + std::min<Duration>(limits::drain_notice_max, limit_));
    case DrainState::notice:
    case DrainState::refusing:
    case DrainState::closing: return enter(DrainState::ended, std::nullopt);
    case DrainState::ended: return;
  }
}

void Drain::on_startup_failed(TimePoint now) {
  if (state_ == DrainState::serving) enter(DrainState::closing, now + limits::drain_flush_max);
}

void Drain::on_idle(TimePoint now) {
  if (state_ == DrainState::refusing) enter(DrainState::closing, now + limits::drain_flush_max);
}

void Drain::on_closed() {
  if (state_ == DrainState::closing) enter(DrainState::ended, std::nullopt);
}

void Drain::on_tick(TimePoint now) {
  while (deadline_ && *deadline_ <= now) {
    switch (state_) {
      case DrainState::notice: enter(DrainState::refusing, limit_ends_); break;
      case DrainState::refusing: enter(DrainState::closing, now + limits::drain_flush_max); break;
      case DrainState::closing: enter(DrainState::ended, std::nullopt); break;
      case DrainState::serving:
      case DrainState::ended: UNREACHABLE();
    }
  }
}

}  // namespace sluice::daemon
