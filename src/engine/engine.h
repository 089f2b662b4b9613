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
#include <vector>

#include "core/core.h"
#include "core/standing.h"
#include "engine/config.h"
#include "engine/contenders.h"
#include "engine/cost_model.h"
#include "engine/facts.h"
#include "engine/holders.h"
#include "engine/plan.h"
#include "engine/roster.h"
#include "engine/runner.h"
#include "engine/sequences.h"

namespace sluice::engine {

class Engine final {
 public:
  explicit Engine(EngineConfig config);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Lets a generation in, or refuses: invalid (a token outside the vocabulary, an id that lives, max_tokens 0, an empty
  // prompt), context_length, overloaded, and what in_time.h says of time. A refused one leaves no trace.
  Result<void> submit(GenerationId id, GenerationSpec spec, TimePoint now);

  // Ends a generation in any state without a fact; frees its lane at once and keeps its KV for reuse. An id that does
  // not live (it ended meanwhile) is ignored.
  void cancel(GenerationId id);

  // The output found a stop string: ends a generation that has started, with a GenerationFinishedFact. An id that does
  // not live is ignored.
  void finish(GenerationId id, FinishReason reason);

  // The daemon has taken every frame up to `step`; a step that was never planned counts as the last one that was. With
  // limits::unacknowledged_steps_max outstanding, plan() is empty.
  void on_ack(uint64_t step);

  // What to do next; empty when there is nothing to do. Between plan() and on_step_done() of a plan that is not empty
  // only sampling_view(), take_facts(), stats() and holdings() may be called.
  StepPlan plan(TimePoint now);
  SamplingView sampling_view(GenerationId id) const;
  void on_step_done(const StepPlan& plan, StepResult result, TimePoint now);

  // A worker without live generations is idle.
  bool idle() const;
  std::vector<Fact> take_facts();
  EngineStats stats() const;
  Duration prefill_call() const { return costs_.prefill_call(); }  // what one is taken to cost beside its rows
  Costs learned_costs() const { return costs_.learned(); }         // for an engine after this one
  std::vector<Holding> holdings() const;                           // for whoever watches
  // Those with a lane, then those without, the first in order first. Where their time went is not the engine's to say.
  std::vector<Standing> standings(TimePoint now) const;

  // Aborts the process where the bookkeeping contradicts itself: called by tests after every event.
  void check_invariants() const;

 private:
  struct Failure {
    GenerationId generation;
    Error error;
  };

  Result<void> check_spec(GenerationId id, const GenerationSpec& spec) const;
  Result<void> check_room(const GenerationSpec& spec) const;

  // Got its lane in the plan that is not settled: what its sequence holds when the plan's moves are done.
  enum class Seeding : uint8_t { taken_over, imported, kept };
  struct Arrival {
    GenerationId generation;
    Position seed = 0;
    Seeding by = Seeding::taken_over;
  };

  // What does not change until a lane is given.
  struct Round {
    uint64_t parked_tokens = 0;
    Holders holders{};  // where one of them may have to give way
    bool any_sequence_free = false;
    Generation* last_without_lane = nullptr;  // in order, of those that keep a sequence, where none is free
  };

  struct Handover {
    Generation* to;
    Generation* from;    // null: the lane was free
    Generation* parked;  // for its sequence; null: none
  };

  bool is_held_back() const;  // the daemon has not taken what the last steps said
  void end_overdue(TimePoint now);
  void fill_lanes(TimePoint now);
  uint32_t free_lanes() const;
  bool class_is_full(Class cls) const;
  void find_contenders(bool crowded, TimePoint now);
  std::optional<Handover> next_handover(uint64_t parked_tokens, TimePoint now) const;
  std::optional<Handover> handover_to(const Contender& contender, const Round& round, TimePoint now) const;
  void carry_out(const Handover& handover, TimePoint now);
  std::optional<Contender> contender(Generation& generation, bool crowded, TimePoint now) const;
  void renew_contenders(const Handover& given, bool was_crowded, bool crowded, TimePoint now);
  bool is_crowded(uint64_t parked) const;
  bool any_has_to_give_way() const;
  Holders holders_before(std::span<const Contender* const> next, TimePoint now) const;
  Generation* last_that_keeps_sequence(TimePoint now) const;
  Generation* next_to_park(Generation* last_without_lane, Generation* also, TimePoint now) const;
  bool gives_way(const Generation& holder, const Generation& newcomer, const Generation* parked, TimePoint now) const;
  bool takes_turn(const Generation& newcomer) const;
  bool leaves_in_this_plan(const Generation& generation) const;
  uint64_t room_for(const Generation& newcomer, const Generation* holder, TimePoint now) const;
  bool can_park(const Generation& holder, const Generation& newcomer, uint64_t parked, uint64_t room) const;
  uint64_t parked_for_service_max() const;
  uint64_t parked_tokens() const;
  uint64_t parked_tokens_max() const;
  void park(Generation& holder);
  void start(Generation& newcomer);
  void resume(Generation& generation);
  const Arrival* arrival_of(GenerationId id) const;
  uint64_t prompt_left(const Generation& generation) const;
  Claim claim_of(const Generation& generation, TimePoint now) const;

  std::vector<const Generation*> without_a_lane(TimePoint now) const;
  Standing standing_of(const Generation& generation, TimePoint now) const;
  struct LanesLeft;
  WaitsFor waits_for(const Generation& generation, const LanesLeft& left, TimePoint now) const;

  std::vector<KvMove> first_moves();
  std::vector<Runner> runners(TimePoint now) const;
  Extent extent_of(const Generation& generation) const;

  // What a step made of the KV; then what that means for the generations.
  std::vector<Failure> settle_moves(const StepPlan& plan, StepResult& result);
  std::optional<Failure> settle_failed_move(const KvMove& move, Error error);
  std::optional<Failure> settle_failed_copy(const CopyKv& copy, Error error);
  void settle_skipped_move(const StepPlan& plan, const KvMove& move);
  void apply(const KvMove& move, Duration elapsed);
  void apply_copy(const CopyKv& copy);
  void apply_import(const ImportKv& import);
  void lose_parked(GenerationId id);
  void settle_call(const PlannedCall& call, const CallResult& result, TimePoint now);
  void settle_feed(const PlannedFeed& feed, const CallResult& result, TimePoint now);
  void count(const PlannedCall& call, const CallResult& result);
  void take_samples(const PlannedCall& call, CallResult& result);
  void take_sample(const PlannedFeed& feed, std::optional<Choice> choice);
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
  bool exports_work_ = true;
  TimePoint last_step_;                 // was done
  std::optional<TimePoint> last_turn_;  // a lane went over to one that ran before, and KV was moved
  Contenders contenders_;               // of the plan that is being made
  // Of the plan that is being made, or not settled.
  std::vector<Arrival> arrivals_;
  std::vector<ExportKv> exports_;
  std::vector<GenerationId> forgotten_;  // their KV in host memory is nobody's
};

}  // namespace sluice::engine
