// Decides, for one loaded model, which tokens run next. Events go in (submit, cancel, finish, on_step_done, on_ack), a
// plan comes out, facts come out. Refuses to know the clock, sockets, logs, text and the runtime behind the plan: it is
// pure, and tested by simulation.
//
// One invariant: a generation wants `computed` to reach `known`; a step grants it some tokens. Prefill and decode are
// that one line.
//
// Thread: step. Lifetime: the worker's.
#pragma once

#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "core/core.h"
#include "engine/config.h"
#include "engine/cost_model.h"
#include "engine/plan.h"
#include "engine/roster.h"
#include "engine/runner.h"
#include "engine/sequences.h"

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
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Lets a generation in, or refuses: invalid (a token outside the vocabulary, an id that lives, max_tokens 0, an empty
  // prompt), context_length, overloaded. A refused one leaves no trace.
  Result<void> submit(GenerationId id, GenerationSpec spec, TimePoint now);

  // Ends a generation in any state without a fact; frees its lane at once and keeps its KV for reuse. An id that does
  // not live (it ended meanwhile) is ignored.
  void cancel(GenerationId id);

  // The output found a stop string: ends a running generation, with a GenerationFinishedFact. An id that does not live
  // is ignored.
  void finish(GenerationId id, FinishReason reason);

  // The daemon has taken every frame up to `step`; a step that was never planned counts as the last one that was. With
  // limits::unacknowledged_steps_max outstanding, plan() is empty.
  void on_ack(uint64_t step);

  // What to do next; empty when there is nothing to do. Between plan() and on_step_done() of a plan that is not empty
  // only sampling_view(), take_facts() and stats() may be called.
  StepPlan plan(TimePoint now);
  SamplingView sampling_view(GenerationId id) const;
  void on_step_done(const StepPlan& plan, StepResult result, TimePoint now);

  // A worker without live generations is idle.
  bool idle() const;
  std::vector<Fact> take_facts();
  EngineStats stats() const;

  // Aborts the process where the bookkeeping contradicts itself: called by tests after every event.
  void check_invariants() const;

 private:
  struct Failure {
    GenerationId generation;
    Error error;
  };

  Result<void> check_spec(GenerationId id, const GenerationSpec& spec) const;
  Result<void> check_room(const GenerationSpec& spec) const;
  uint32_t free_lanes() const;

  size_t start_waiting(TimePoint now);
  std::vector<Runner> runners(size_t newcomers) const;
  Extent extent_of(const Generation& generation, bool newcomer) const;

  // What a step made of the KV; then what that means for the generations.
  std::vector<Failure> settle_moves(const StepPlan& plan, StepResult& result);
  std::optional<Failure> settle_failed_move(const KvMove& move, Error error);
  void settle_skipped_move(const StepPlan& plan, const KvMove& move);
  void apply(const KvMove& move);
  void settle_call(const PlannedCall& call, const CallResult& result);
  void settle_feed(const PlannedFeed& feed, const CallResult& result);
  void count(const PlannedCall& call, const CallResult& result);
  void take_samples(const PlannedCall& call, CallResult& result);
  void take_sample(const PlannedFeed& feed, Choice choice);
  void fail_call(const PlannedCall& call, const Error& error);
  void make_room(const Error& error);
  void fail_all(const Error& error);

  void fail_generation(GenerationId id, const Error& error);
  void end_with(Generation& generation, FinishReason reason);
  void leave(Generation& generation);
  bool is_end_token(Token token) const;
  std::optional<FinishReason> ended_by(const Generation& generation, bool is_end_token) const;

  EngineConfig config_;
  Sequences sequences_;
  Roster roster_;
  CostModel costs_;
  EngineStats totals_;  // without what is counted on demand
  std::vector<Fact> facts_;
  uint64_t steps_planned_ = 0;
  uint64_t steps_acknowledged_ = 0;
  bool in_step_ = false;    // between plan() and on_step_done()
  bool copy_works_ = true;  // until the runtime refused one
};

}  // namespace sluice::engine
