// What an Engine is told of its model, its runtime and its options, as plain values. Refuses to know where they come
// from. Thread: any (values).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/limits.h"
#include "core/core.h"
#include "core/costs.h"
#include "engine/cut.h"

namespace sluice::engine {

struct EngineConfig {
  uint32_t lanes = 8;   // generations that run at once; sequences 0 .. lanes-1 are theirs
  uint32_t window = 0;  // tokens of one generation, prompt and answer
  uint32_t vocabulary = 0;
  uint32_t call_tokens = 512;  // rows of one call at most
  // Predicted time at most, where a call takes no longer before its first row, of a step that reads prompts: of all its
  // calls where anybody decodes.
  Duration chunk_time = limits::chunk_time_default;
  Duration row_time{};  // a prompt's row took this at load: predictions start from it; 0: not measured
  Costs costs{};        // learned by another engine of this model, on this machine: they start from that instead
  uint32_t waiting_max = limits::live_generations_max;
  bool can_truncate = true;  // anywhere; else a cached sequence is taken over only as a whole
  bool can_copy = true;
  bool can_export = true;          // a sequence's KV to host memory, and back
  uint64_t parked_tokens_max = 0;  // whose KV is in host memory at once; 0: as many as all sequences hold
  std::array<uint32_t, std::size(kClasses)> class_lanes{};  // a class holds at most as many lanes; 0: no bound
  // While a generation of the class decodes, a step's prefill part is cut so that the step is predicted to take no
  // longer, but for a quarter of it; 0: the class asks for nothing.
  std::array<Duration, std::size(kClasses)> pace = limits::pace_default;
  bool adjacent_ids_per_pass = true;
  // Rows computed alone equal rows computed in wider pieces. Where they do not, answers are decoded row by row whatever
  // happens, and only what was computed in pieces of two rows or more is taken over by a later prompt.
  bool decode_equals_prefill = true;
  std::vector<Token> end_tokens;

  CutRules cut_rules() const { return {can_truncate, decode_equals_prefill, static_cast<Position>(call_tokens)}; }
};

}  // namespace sluice::engine
