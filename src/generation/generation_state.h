// The states of one answer and which may follow which. Refuses to know what causes a change. Thread: any (values).
#pragma once

#include <cstdint>
#include <string_view>

namespace sluice::generation {

enum class GenerationState : uint8_t {
  waiting_for_worker,  // the worker starts or restarts; bounded by limits::ready_wait_max
  submitted,           // sent, not yet accepted
  accepted,            // in the worker's queue
  running,             // has a lane
  ended,               // finished or failed; its listener has been told
};

std::string_view name_of(GenerationState state);
bool may_follow(GenerationState from, GenerationState to);

}  // namespace sluice::generation
