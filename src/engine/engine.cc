#include "engine/engine.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/check.h"
#include "engine/placement.h"
#include "engine/planner.h"

namespace sluice::engine {
namespace {

bool is_prefix(std::span<const Token> part, std::span<const Token> whole) {
  return part.size() <= whole.size() && std::ranges::equal(part, whole.first(part.size()));
}

}  // namespace

Engine::Engine(EngineConfig config) : config_(std::move(config)), sequences_(config_.lanes), costs_(config_.row_time) {
  CHECK(config_.window >= 2 && config_.vocabulary > 0 && config_.call_tokens > 0);
}

Result<void> Engine::submit(GenerationId id, GenerationSpec spec, TimePoint now) {
  CHECK(!in_step_);
  if (auto valid = check_spec(id, spec); !valid) return valid;
  if (auto fits = check_room(spec); !fits) return fits;
  roster_.add(id, std::move(spec), now);
  return {};
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

uint32_t Engine::free_lanes() const { return config_.lanes - static_cast<uint32_t>(roster_.running().size()); }

void Engine::cancel(GenerationId id) {
  CHECK(!in_step_);
  if (Generation* generation = roster_.find(id)) leave(*generation);
}

void Engine::finish(GenerationId id, FinishReason reason) {
  CHECK(!in_step_);
  Generation* generation = roster_.find(id);
  if (generation == nullptr) return;
  CHECK(generation->state() == GenerationState::running);
  end_with(*generation, reason);
}

void Engine::on_ack(uint64_t step) {
  steps_acknowledged_ = std::max(steps_acknowledged_, std::min(step, steps_planned_));
}

StepPlan Engine::plan(TimePoint now) {
  CHECK(!in_step_);
  if (steps_planned_ - steps_acknowledged_ >= limits::unacknowledged_steps_max) return {};
  const size_t newcomers = start_waiting(now);
  // A newcomer's sequence holds what it held before until the moves are done: no copy is weighed against that.
  const bool may_copy = config_.adjacent_ids_per_pass && config_.can_copy && copy_works_ && newcomers == 0;
  StepPlan plan = plan_step(config_, costs_, sequences_, runners(newcomers), may_copy);
  if (plan.empty()) return plan;
  plan.step = ++steps_planned_;
  in_step_ = true;
  return plan;
}

// Returns how many started: they are the last of the running ones.
size_t Engine::start_waiting(TimePoint now) {
  size_t started = 0;
  while (Generation* next = roster_.next_to_start(now)) {
    const auto placement = choose_sequence(sequences_, next->known(), config_);
    if (!placement) break;
    sequences_.hold(placement->seq, next->id());
    const auto cached = static_cast<uint32_t>(placement->keep);
    roster_.start(*next, placement->seq, cached);
    totals_.tokens_cached += cached;
    facts_.emplace_back(GenerationStartedFact{next->id(), cached});
    ++started;
  }
  return started;
}

std::vector<Runner> Engine::runners(size_t newcomers) const {
  const auto running = roster_.running();
  std::vector<Runner> out;
  out.reserve(running.size());
  for (const Generation* g : running) {
    const bool newcomer = out.size() + newcomers >= running.size();
    out.push_back({.generation = g->id(),
                   .seq = g->sequence(),
                   .known = g->known(),
                   .extent = extent_of(*g, newcomer),
                   .may_produce = g->may_produce()});
  }
  return out;
}

Extent Engine::extent_of(const Generation& g, bool newcomer) const {
  Extent extent{.prompt = static_cast<Position>(g.prompt_tokens()), .known = static_cast<Position>(g.known().size())};
  extent.computed = newcomer ? static_cast<Position>(g.cached_tokens()) : sequences_.at(g.sequence()).computed();
  if (!newcomer) extent.computed = resume_point(extent, config_.cut_rules());
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
  if (generation.state() == GenerationState::running) sequences_.release(generation.sequence());
  roster_.end(generation);
}

bool Engine::idle() const { return roster_.empty(); }

std::vector<Fact> Engine::take_facts() { return std::exchange(facts_, {}); }

EngineStats Engine::stats() const {
  EngineStats stats = totals_;
  stats.lanes_busy = static_cast<uint32_t>(roster_.running().size());
  stats.waiting = static_cast<uint32_t>(roster_.waiting().size());
  return stats;
}

void Engine::check_invariants() const {
  CHECK(steps_acknowledged_ <= steps_planned_);
  CHECK(roster_.size() == roster_.waiting().size() + roster_.running().size());
  CHECK(sequences_.held().count() == roster_.running().size());
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
