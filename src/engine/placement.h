// Chooses the sequence of a newcomer, and how much of what it holds the newcomer can use. Refuses to know who else
// waits and how the choice is carried out. Thread: any (pure).
#pragma once

#include <optional>
#include <span>

#include "engine/config.h"
#include "engine/sequences.h"

namespace sluice::engine {

struct Placement {
  SequenceId seq;
  Position keep = 0;  // leading known tokens whose KV stays; the rest of the sequence goes
};

// What is to run: `known` are its prompt and its answer so far.
struct Wanted {
  std::span<const Token> known;
  uint32_t prompt = 0;  // tokens
};

// Leading known tokens that need not be computed on this sequence.
Position usable_prefix(const Sequence& sequence, const Wanted& wanted, const EngineConfig& config);

// The free sequence with the longest usable prefix, unless that is less than half of what is cached there: then the
// rest is worth more to its own conversation, and an empty sequence is taken, or the least recently used one. Equal
// choices go to the id that keeps the running ids adjacent. Empty: no sequence is free.
std::optional<Placement> choose_sequence(const Sequences& sequences, const Wanted& wanted, const EngineConfig& config);

}  // namespace sluice::engine
