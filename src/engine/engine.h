// Decides, for one loaded model, which tokens run next. Events go in (submit, cancel, finish, on_step_done, on_ack), a
// plan comes out, facts come out. Refuses to know the clock, sockets, logs, text and the runtime behind the plan: it is
// pure, and tested by simulation.
//
// One invariant: a generation wants `computed` to reach `known`; a step grants it some tokens. Prefill and decode are
// that one line.
//
// Thread: step. Lifetime: the worker's.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/limits.h"
#include "core/core.h"
#include "engine/plan.h"

namespace sluice::engine {

struct EngineConfig {
  uint32_t lanes = 8;   // generations that run at once; sequences 0 .. lanes-1 are theirs
  uint32_t window = 0;  // tokens of one generation, prompt and answer
  uint32_t vocabulary = 0;
  uint32_t call_tokens = 512;                        // rows of one call at most
  Duration chunk_time = limits::chunk_time_default;  // predicted time of a step's prefill part at most
  uint32_t waiting_max = limits::live_generations_max;
  bool can_truncate = true;  // anywhere; else a cached sequence is taken over only as a whole
  bool can_copy = true;
  bool adjacent_ids_per_pass = true;
  std::vector<Token> end_tokens;
};

// Facts, in the order they happened.
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
  uint64_t passes = 0;
  uint64_t tokens_cached = 0;
};

// What the sampler needs to choose a generation's next token. Valid as long as PlannedFeed::tokens is.
struct SamplingView {
  const SamplingParams* params = nullptr;
  std::span<const Token> known;  // prompt and answer so far
  uint32_t prompt_tokens = 0;    // known[prompt_tokens..] is the answer
  uint32_t choice = 0;
  std::span<const Token> forbidden;  // never drawn (end tokens under ignore_eos)
};

class Engine final {
 public:
  explicit Engine(EngineConfig config);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Lets a generation in, or refuses: invalid (a token outside the vocabulary, an id that lives, max_tokens 0, an empty
  // prompt), context_length, overloaded. A refused one leaves no trace.
  Result<void> submit(GenerationId id, GenerationSpec spec, TimePoint now);

  // Ends a generation in any state without a fact; frees its lane at once and keeps its KV for reuse. An id that does
  // not live (it ended meanwhile) is ignored.
  void cancel(GenerationId id);

  // The output found a stop string: ends a running generation, with a GenerationFinishedFact.
  void finish(GenerationId id, FinishReason reason);

  // The daemon has taken every frame up to `step`. With limits::unacknowledged_steps_max outstanding, plan() is empty.
  void on_ack(uint64_t step);

  // What to do next; empty when there is nothing to do. Between plan() and on_step_done() of a plan that is not empty
  // only sampling_view() may be called.
  StepPlan plan(TimePoint now);
  SamplingView sampling_view(GenerationId id) const;
  void on_step_done(const StepPlan& plan, StepResult result, TimePoint now);

  // A worker without this many live generations is idle.
  bool idle() const;
  std::vector<Fact> take_facts();
  EngineStats stats() const;

  // Aborts the process where the bookkeeping contradicts itself: called by tests after every event.
  void check_invariants() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sluice::engine
