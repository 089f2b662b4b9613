// A sequence's KV as bytes and back, within one context: nothing in them says which model or build they are of. For
// memory kinds that keep every cell they write (keeps_every_cell). Refuses to know the runtime's bookkeeping.
// Thread: step.
#pragma once

#include "adapters/llamacpp/memory_kind.h"
#include "base/error.h"
#include "runtime/runtime.h"

struct llama_context;

namespace sluice::llamacpp {

// A cache with sliding windows writes only what the window still sees: cut after an import, it would compute on cells
// that are not there. A recurrent state is whole or nothing.
bool keeps_every_cell(MemoryKind kind);

// All of the sequence, of which the first `upto` tokens count. Errors: fatal; capacity, where
// there is no memory.
Result<Snapshot> export_sequence(llama_context* context, SequenceId seq, Position upto);

// Replaces what the sequence holds. It then holds as many tokens as were there at the export, or, after an error, none.
// Errors: invalid, before anything changed: these are not an export's bytes; fault: the sequence is empty.
Result<void> import_sequence(llama_context* context, SequenceId seq, const Snapshot& snapshot);

}  // namespace sluice::llamacpp
