// Makes a sequence as deep as a long conversation without computing it: its cells are taken, and hold whatever was
// there. For measuring: the time of a step depends on how many cells it reads, not on what is in them.
// Thread: step.
#pragma once

#include "base/error.h"
#include "runtime/runtime.h"

struct llama_context;

namespace sluice::llamacpp {

// The sequence is empty before, and has `tokens` afterwards. Errors: capacity; fatal.
Result<void> take_cells(llama_context* context, SequenceId seq, uint32_t tokens);

}  // namespace sluice::llamacpp
