// Proves with the loaded model which kinds of exactness hold (DESIGN promise 5): logits are compared bit by bit on a
// few dozen tokens. Knows the runtime through its interface only. Thread: step, before anything else is computed.
// Leaves every sequence empty.
#pragma once

#include "runtime/runtime.h"

namespace sluice::llamacpp {

struct Exactness {
  Capability alone_equals_beside;
  Capability chunk_equals_chunk;
  Capability decode_equals_prefill;
  Capability copied_equals_computed;
  Capability imported_equals_computed;
  Capability chosen_equals_likeliest;  // what the device chooses is the highest of the logits that it hands out
  Duration row_time{};                 // of a prompt, in a call of a few dozen rows; 0: not measured
};

// Error: whatever a step says that should have worked.
Result<Exactness> self_check(Runtime& runtime);

}  // namespace sluice::llamacpp
