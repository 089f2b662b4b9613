#include "engine/engine.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/check.h"
#include "engine/in_time.h"
#include "engine/placement.h"
#include "engine/planner.h"

namespace sluice::engine {
namespace {

bool is_prefix(std::span<const Token> part, std::span<const Token> whole) {
  return part.size() <= whole.size() && std::ranges::equal(part, whole.first(part.size()));
}

}  // namespace

Engine::Engine(EngineConfig config)
    : config_(std::move(config)), sequences_(config_.lanes), costs_(config_.row_time, config_.costs) {
  CHECK(config_.window >= 2 && config_.vocabulary > 0 && config_.call_tokens > 0);
}

Result<void> Engine::submit(GenerationId id, GenerationSpec spec, TimePoint now) {
  CHECK(!in_step_);
  if (auto valid = check_spec(id, spec); !valid) return valid;
  if (auto fits = check_room(spec); !fits) return fits;
  const bool refuse_late = spec.refuse_late;
  roster_.add(id, std::move(spec), now);
  if (!refuse_late) return {};
  Generation& newcomer = roster_.at(id);
  auto in_time = check_in_time(newcomer, roster_, sequences_, costs_, config_, now);
  if (!in_time) roster_.end(newcomer);
  return in_time;
}

Result<void> Engine::check_spec(GenerationId id, const GenerationSpec& spec) const {
  const auto outside = [this](Token t) { return t < 0 || static_cast<uint32_t>(t) >= config_.vocabulary; };
  const std::string vocabulary = "the vocabulary's " + std::to_string(config_.vocabulary) + " tokens";
  if (id == GenerationId{}) return fail(ErrorCode::invalid, "a generation's id must not be 0");
  if (roster_.find(id) != nullptr) {
    return fail(ErrorCode::invalid, "generation " + std::to_string(id.raw) + " lives already");
  }
  if (spec.prompt.empty()) return fail(ErrorCode::invalid, "the prompt must have at least one token", "prompt");
  if (spec.max_tokens == 0) return fail(ErrorCode::invalid, "max_tokens must be at least 1", "max_tokens");
  if (const auto bad = std::ranges::find_if(spec.prompt, outside); bad != spec.prompt.end()) {
    return fail(ErrorCode::invalid, "token " + std::to_string(*bad) + " of the prompt is not among " + vocabulary,
                "prompt");
  }
  const auto& bias = spec.sampling.logit_bias;
  if (const auto bad = std::ranges::find_if(bias, outside, &std::pair<Token, float>::first); bad != bias.end()) {
    return fail(ErrorCode::invalid, "token " + std::to_string(bad->first) + " of logit_bias is not among " + vocabulary,
                "logit_bias");
  }
  return {};
}

Result<void> Engine::check_room(const GenerationSpec& spec) const {
  if (spec.prompt.size() >= config_.window) {
    return fail(ErrorCode::context_length,
                "the prompt has " + std::to_string(spec.prompt.size()) + " tokens; with a context of " +
                    std::to_string(config_.window) + " tokens, at most " + std::to_string(config_.window - 1) +
                    " leave room for an answer",
                "prompt");
  }
  if (roster_.waiting().size() >= size_t{config_.waiting_max} + free_lanes()) {
    return fail(ErrorCode::overloaded, std::to_string(roster_.waiting().size()) +
                                           " generations wait already, as many as may; the same request works later");
  }
  return {};
}

void Engine::cancel(GenerationId id) {
  CHECK(!in_step_);
  if (Generation* generation = roster_.find(id)) leave(*generation);
}

void Engine::finish(GenerationId id, FinishReason reason) {
  CHECK(!in_step_);
  Generation* generation = roster_.find(id);
  if (generation == nullptr) return;
  CHECK(generation->state() != GenerationState::waiting);
  end_with(*generation, reason);
}

void Engine::on_ack(uint64_t step) {
  steps_acknowledged_ = std::max(steps_acknowledged_, std::min(step, steps_planned_));
}

bool Engine::is_held_back() const { return steps_planned_ - steps_acknowledged_ >= limits::unacknowledged_steps_max; }

StepPlan Engine::plan(TimePoint now) {
  CHECK(!in_step_);
  end_overdue(now);
  if (is_held_back()) return {};
  fill_lanes(now);
  // A newcomer's sequence holds what it held before until the moves are done: no copy is weighed against that.
  const bool may_copy = config_.adjacent_ids_per_pass && config_.can_copy && copy_works_ && arrivals_.empty();
  StepPlan plan = plan_step(config_, costs_, sequences_, first_moves(), runners(now), may_copy);
  if (plan.empty()) return plan;
  plan.step = ++steps_planned_;
  in_step_ = true;
  return plan;
}

// What leaves host memory makes room first.
std::vector<KvMove> Engine::first_moves() {
  std::vector<KvMove> moves;
  for (const GenerationId id : std::exchange(forgotten_, {})) moves.emplace_back(ForgetKv{id});
  for (const ExportKv& move : std::exchange(exports_, {})) moves.emplace_back(move);
  return moves;
}

std::vector<Runner> Engine::runners(TimePoint now) const {
  std::vector<Runner> out;
  out.reserve(roster_.running().size());
  for (const Generation* g : roster_.running()) {
    const Arrival* arrival = arrival_of(g->id());
    Claim claim = claim_of(*g, now);
    claim.paused = false;  // it has a lane: many that come back would hold up every newcomer's rows
    out.push_back({.generation = g->id(),
                   .seq = g->sequence(),
                   .known = g->known(),
                   .extent = extent_of(*g),
                   .may_produce = g->may_produce(),
                   .imported = arrival != nullptr && arrival->by == Seeding::imported ? arrival->seed : 0,
                   .claim = claim});
  }
  return out;
}

Extent Engine::extent_of(const Generation& g) const {
  Extent extent{.prompt = static_cast<Position>(g.prompt_tokens()), .known = static_cast<Position>(g.known().size())};
  const Arrival* arrival = arrival_of(g.id());
  extent.computed = arrival != nullptr ? arrival->seed : sequences_.at(g.sequence()).computed();
  if (arrival == nullptr || arrival->by != Seeding::taken_over)
    extent.computed = resume_point(extent, config_.cut_rules());
  return extent;
}

SamplingView Engine::sampling_view(GenerationId id) const {
  const Generation* g = roster_.find(id);
  CHECK(g != nullptr);
  return {.params = &g->sampling(),
          .known = g->known(),
          .prompt_tokens = g->prompt_tokens(),
          .choice = g->choice(),
          .forbidden = g->ignores_end_tokens() ? std::span<const Token>(config_.end_tokens) : std::span<const Token>()};
}

void Engine::end_with(Generation& generation, FinishReason reason) {
  facts_.emplace_back(GenerationFinishedFact{generation.id(), reason, generation.usage()});
  leave(generation);
}

void Engine::leave(Generation& generation) {
  if (generation.keeps_sequence()) sequences_.release(generation.sequence());
  if (generation.parked()) forgotten_.push_back(generation.id());
  roster_.end(generation);
}

bool Engine::idle() const { return roster_.empty() && forgotten_.empty(); }

std::vector<Fact> Engine::take_facts() { return std::exchange(facts_, {}); }

EngineStats Engine::stats() const {
  EngineStats stats = totals_;
  stats.lanes_busy = static_cast<uint32_t>(roster_.running().size());
  stats.waiting = static_cast<uint32_t>(roster_.waiting().size());
  stats.preempted = static_cast<uint32_t>(roster_.preempted().size());
  stats.parked_now = parked_tokens();
  return stats;
}

std::vector<Holding> Engine::holdings() const {
  std::vector<Holding> out;
  for (const Generation* g : roster_.running()) out.push_back({g->id(), g->sequence(), true});
  for (const Generation* g : roster_.preempted()) {
    if (g->keeps_sequence()) out.push_back({g->id(), g->sequence(), false});
  }
  return out;
}

void Engine::check_invariants() const {
  CHECK(steps_acknowledged_ <= steps_planned_);
  CHECK(roster_.size() == roster_.waiting().size() + roster_.running().size() + roster_.preempted().size());
  CHECK(roster_.running().size() <= config_.lanes);
  size_t holders = roster_.running().size();
  for (const Generation* g : roster_.preempted()) {
    CHECK(g->state() == GenerationState::preempted && !(g->parked() && g->keeps_sequence()));
    if (g->keeps_sequence()) ++holders;
  }
  CHECK(sequences_.held().count() == holders);
  for (const Generation* g : roster_.waiting()) CHECK(g->state() == GenerationState::waiting);
  for (const Generation* g : roster_.running()) {
    const Sequence& s = sequences_.at(g->sequence());
    CHECK(s.holder == g->id() && s.wide_upto <= s.computed());
    CHECK(g->known().size() < config_.window && g->may_produce() > 0);
    if (!in_step_) CHECK(is_prefix(s.tokens, g->known()));
  }
  for (const Sequence& s : sequences_.all()) CHECK(!s.lost || s.tokens.empty());
}

}  // namespace sluice::engine
