// What an Engine says of its generations and of itself, as plain values. Refuses to know how it comes to them. Thread:
// step (SamplingView), any (the others).
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "core/core.h"

namespace sluice::engine {

// Facts, in the order they happened: Started comes from plan(), the others from on_step_done() and finish().
struct GenerationStartedFact {
  GenerationId generation;
  uint32_t cached_tokens = 0;
};
struct TokenFact {
  GenerationId generation;
  Choice choice;
  bool is_end_token = false;  // its text is not part of the answer
};
struct GenerationFinishedFact {
  GenerationId generation;
  FinishReason reason = FinishReason::stop;
  Usage usage;
};
struct GenerationFailedFact {
  GenerationId generation;
  Error error;
};
using Fact = std::variant<GenerationStartedFact, TokenFact, GenerationFinishedFact, GenerationFailedFact>;

struct EngineStats {
  uint32_t lanes_busy = 0;
  uint32_t waiting = 0;
  uint64_t rows_prefill = 0;
  uint64_t rows_decode = 0;
  uint64_t calls = 0;
  uint64_t calls_prefill = 0;  // of these
  uint64_t passes = 0;
  uint64_t tokens_cached = 0;
  uint32_t preempted = 0;      // without a lane, in the middle of their answers
  uint64_t parked_now = 0;     // tokens whose KV is in host memory
  uint64_t preemptions = 0;    // since load, as all below
  uint64_t tokens_parked = 0;  // whose KV went to host memory
  uint64_t tokens_again = 0;   // whose KV was lost on the way there or back: computed a second time
  Duration decode_time{}, prefill_time{}, move_time{}, draw_time{};
};

// What the sampler needs to choose a generation's next token. Valid as long as PlannedFeed::tokens is.
struct SamplingView {
  const SamplingParams* params = nullptr;
  std::span<const Token> known;  // prompt and answer so far
  uint32_t prompt_tokens = 0;    // known[prompt_tokens..] is the answer
  uint32_t choice = 0;
  std::span<const Token> forbidden;  // never drawn (end tokens under ignore_eos)
};

// Has a sequence: runs, or is preempted and keeps it.
struct Holding {
  GenerationId generation;
  SequenceId seq;
  bool runs = false;
};

}  // namespace sluice::engine
