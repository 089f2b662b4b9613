// How many of a generation's tokens have their KV, between two steps: in the sequence that it keeps, else in host
// memory. Thread: any (pure).
#pragma once

#include "engine/generation.h"
#include "engine/sequences.h"

namespace sluice::engine {

inline Position kept_tokens(const Generation& g, const Sequences& sequences) {
  if (g.keeps_sequence()) return sequences.at(g.sequence()).computed();
  return g.parked() ? g.parked()->tokens : 0;
}

}  // namespace sluice::engine
