// What an answer says about itself in the access log and in `usage`, from what its generations said. Pure.
// Refuses to know how answers run. Thread: any.
#pragma once

#include <optional>
#include <span>

#include "core/core.h"
#include "telemetry/access_log.h"

namespace sluice::api {

// One generation, in whatever state it is.
struct PartFigures {
  std::optional<uint32_t> prompt_tokens;  // absent: not started
  uint32_t cached_tokens = 0;
  uint32_t tokens = 0;  // generated and received so far
  std::optional<Finished> finished;
};

// Parts come in groups of `n` that share a prompt. A prompt counts once, with what its first answer found cached.
Usage usage_of(std::span<const PartFigures> parts, uint32_t n);
// Fills tokens, times, rates, finish and lateness of `entry`; what is not known stays absent. Returns the usage.
Usage fill(telemetry::AccessEntry& entry, std::span<const PartFigures> parts, uint32_t n);

}  // namespace sluice::api
