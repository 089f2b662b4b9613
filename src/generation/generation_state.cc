#include "generation/generation_state.h"

#include "base/check.h"

namespace sluice::generation {

std::string_view name_of(GenerationState state) {
  switch (state) {
    case GenerationState::waiting_for_worker: return "waiting_for_worker";
    case GenerationState::submitted: return "submitted";
    case GenerationState::accepted: return "accepted";
    case GenerationState::running: return "running";
    case GenerationState::ended: return "ended";
  }
  UNREACHABLE();
}

bool may_follow(GenerationState from, GenerationState to) {
  using enum GenerationState;
  switch (from) {
    case waiting_for_worker: return to == submitted || to == ended;
    case submitted: return to == accepted || to == waiting_for_worker || to == ended;
    case accepted: return to == running || to == ended;
    case running: return to == ended;
    case ended: return false;
  }
  UNREACHABLE();
}

}  // namespace sluice::generation
