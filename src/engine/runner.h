// A running generation as a step is planned: a value, so that planning changes nothing. Thread: any (value).
#pragma once

#include <span>

#include "core/core.h"
#include "engine/cut.h"

namespace sluice::engine {

struct Runner {
  GenerationId generation;
  SequenceId seq;
  std::span<const Token> known;
  Extent extent;             // `computed` is what its sequence will hold when the plan's moves are done
  uint32_t may_produce = 0;  // tokens
};

}  // namespace sluice::engine
