// Which kind of memory the library gave a context, and what may be done to its sequences. What the library itself
// answers cannot be trusted here: it says that it truncated where it did not, so this names the kinds whose behaviour
// is known, and allows nothing on others. Thread: step.
#pragma once

#include <cstdint>
#include <string_view>

struct llama_context;

namespace sluice::llamacpp {

enum class MemoryKind : uint8_t {
  none,          // no memory: the model does not generate
  plain,         // one KV cache of all positions
  sliding_full,  // sliding-window layers beside full ones, both kept for all positions (swa_full)
  recurrent,     // a state, no positions
  hybrid,        // a state and a KV cache
  other,
};

MemoryKind memory_kind_of(llama_context* context);

// Every position's KV is kept: any prefix of a sequence is in it.
bool keeps_every_position(MemoryKind kind);
std::string_view name_of(MemoryKind kind);

}  // namespace sluice::llamacpp
