// How a live generation stands with its worker: what is done for it, or what it waits for. For whoever watches: nothing
// is decided by it. Thread: any (values).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/core.h"

namespace sluice {

enum class Doing : uint8_t {
  waiting,    // had no lane yet
  prefill,    // has a lane: its prompt is read
  decode,     // has a lane: its answer is written
  preempted,  // its lane was taken away in the middle
};
inline constexpr Doing kLastDoing = Doing::preempted;
std::string_view name_of(Doing doing);  // "waiting", as written above

enum class WaitsFor : uint8_t {
  nothing,      // has a lane, and is served
  step,         // its turn has come: the next step gives it one
  lane,         // all are held, or are for those before it
  class_lanes,  // its class holds as many as it may
  room,         // no sequence is free, and host memory takes no more of another's KV
  daemon,       // which has not taken what the last steps said
};
inline constexpr WaitsFor kLastWaitsFor = WaitsFor::daemon;
std::string_view name_of(WaitsFor waits_for);  // "nothing", as written above

struct Standing {
  GenerationId generation;
  Doing doing = Doing::waiting;
  WaitsFor waits_for = WaitsFor::nothing;
  uint32_t ahead = 0;                  // so many of those without a lane come before it
  std::optional<SequenceId> sequence;  // that it runs in, or keeps while it is preempted
  uint32_t computed = 0;               // tokens whose KV exists, here or in host memory
  uint32_t parked = 0;                 // of these, in host memory
  uint32_t cached = 0;                 // tokens of its prompt that were not computed for it
  Duration starved{};                  // since it came, or last got a row
  Timings timings;                     // so far: what has not ended goes on until now
};

}  // namespace sluice
