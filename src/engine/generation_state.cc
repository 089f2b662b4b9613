#include "engine/generation_state.h"

#include "base/check.h"

namespace sluice::engine {

std::string_view name_of(GenerationState state) {
  switch (state) {
    case GenerationState::waiting: return "waiting";
    case GenerationState::running: return "running";
    case GenerationState::preempted: return "preempted";
    case GenerationState::ended: return "ended";
  }
  UNREACHABLE();
}

bool may_follow(GenerationState from, GenerationState to) {
  switch (from) {
    case GenerationState::waiting:
    case GenerationState::preempted: return to == GenerationState::running || to == GenerationState::ended;
    case GenerationState::running: return to == GenerationState::preempted || to == GenerationState::ended;
    case GenerationState::ended: return false;
  }
  UNREACHABLE();
}

}  // namespace sluice::engine
