#include "supervisor/process_state.h"

#include "base/check.h"

namespace sluice::supervisor {

std::string_view name_of(ProcessState state) {
  switch (state) {
    case ProcessState::stopped: return "stopped";
    case ProcessState::starting: return "starting";
    case ProcessState::loading: return "loading";
    case ProcessState::ready: return "ready";
    case ProcessState::draining: return "draining";
    case ProcessState::backing_off: return "backing_off";
    case ProcessState::failed: return "failed";
  }
  UNREACHABLE();
}

bool may_follow(ProcessState from, ProcessState to) {
  using enum ProcessState;
  switch (from) {
    case stopped: return to == starting;
    case starting: return to == loading || to == backing_off || to == failed || to == stopped;
    case loading: return to == ready || to == backing_off || to == failed || to == stopped;
    case ready: return to == draining || to == backing_off || to == stopped;
    case draining: return to == stopped;
    case backing_off: return to == starting || to == stopped;
    case failed: return to == stopped;
  }
  UNREACHABLE();
}

}  // namespace sluice::supervisor
