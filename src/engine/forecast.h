// The least that goes before a newcomer, in rows of prompts, as the order (order.h) has it: from that alone nobody is
// told too much. Whoever is ahead of it stays ahead until what it got puts it behind, and so gets at least as many rows
// as that takes, or as the newcomer has, or all of its own. Another key, or another session, is put behind as a whole:
// by what any of it got, prompts and answers. Left out is all that may not be: answers, moves, who comes later. Who
// leaves before its turn makes the forecast too long. Pure. Thread: any.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/core.h"
#include "engine/order.h"

namespace sluice::engine {

// One that goes before the newcomer, whatever ages.
struct Ahead {
  uint64_t rows = 0;  // of its prompt that are not computed
  Claim claim{};
  std::pair<uint32_t, uint64_t> turn{};  // of a key and a session; {0, 0}: its own
  bool of_same_key = true;
};

// Until its first token; `own`: rows of its prompt.
uint64_t rows_before_first_token(uint64_t own, const Claim& newcomer, std::span<const Ahead> ahead);
// Until a lane, while it has not aged: all but so many as there are other lanes have ended, or are behind.
uint64_t rows_before_lane(uint32_t lanes, const Claim& newcomer, std::span<const Ahead> ahead);

// Of each text, how many of its leading tokens another one begins with: their KV need not be computed twice.
std::vector<size_t> shared_with_another(std::span<const std::span<const Token>> texts);

}  // namespace sluice::engine
