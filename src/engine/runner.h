// A running generation as a step is planned: a value, so that planning changes nothing. Thread: any (value).
#pragma once

#include <span>

#include "core/core.h"
#include "engine/cut.h"
#include "engine/order.h"

namespace sluice::engine {

struct Runner {
  GenerationId generation;
  SequenceId seq;
  std::span<const Token> known;
  Extent extent;             // `computed` is what its sequence will hold when the plan's moves are done
  uint32_t may_produce = 0;  // tokens
  Position imported = 0;     // tokens that are brought into its sequence first, instead of what is there
  Claim claim;
};

}  // namespace sluice::engine
