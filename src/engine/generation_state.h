// The life of a generation inside the engine. Prefill and decode are no states: they follow from how much of `known`
// is computed. Refuses to know what moves a generation on. Thread: any (pure).
#pragma once

#include <cstdint>
#include <string_view>

namespace sluice::engine {

enum class GenerationState : uint8_t {
  waiting,    // submitted; had no lane yet
  running,    // has a lane, and a sequence
  preempted,  // its lane was taken away; its KV is in its sequence still, or in host memory
  ended,      // finished, failed or cancelled: about to be forgotten
};

std::string_view name_of(GenerationState state);
bool may_follow(GenerationState from, GenerationState to);

}  // namespace sluice::engine
