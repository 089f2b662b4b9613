// The states of a process that is kept alive, and which may follow which. Refuses to know what causes a change.
// Thread: any (values).
#pragma once

#include <cstdint>
#include <string_view>

namespace sluice::supervisor {

enum class ProcessState : uint8_t {
  stopped,   // start() has not been called, or stop() has
  starting,  // spawned; no Hello yet
  loading,   // Load or OpenVocabulary sent
  ready,
  draining,     // Drain sent; ends by itself
  backing_off,  // died; waits to be started again
  failed,       // cannot load: not tried again
};

std::string_view name_of(ProcessState state);
bool may_follow(ProcessState from, ProcessState to);

}  // namespace sluice::supervisor
