#include "engine/engine_rig.h"

#include <gtest/gtest.h>

namespace sluice::engine {
namespace {

StepSeen seen(const StepPlan& plan) {
  StepSeen out{.step = plan.step, .moves = plan.moves, .calls = {}, .predicted = plan.predicted};
  for (const PlannedCall& call : plan.calls) {
    CallSeen& c = out.calls.emplace_back(CallSeen{.kind = call.kind, .feeds = {}, .predicted = call.predicted});
    for (const PlannedFeed& f : call.feeds) {
      c.feeds.push_back({f.generation.raw, f.seq.raw, f.first, f.tokens.size(), f.sample});
    }
  }
  return out;
}

}  // namespace

std::vector<CallSeen> StepSeen::of(CallKind kind) const {
  std::vector<CallSeen> out;
  for (const CallSeen& call : calls) {
    if (call.kind == kind) out.push_back(call);
  }
  return out;
}

std::vector<size_t> StepSeen::prefill_rows() const {
  std::vector<size_t> out;
  for (const CallSeen& call : of(CallKind::prefill)) out.push_back(call.feeds.front().rows);
  return out;
}

EngineConfig small_config() {
  EngineConfig config;
  config.lanes = 4;
  config.window = 256;
  config.vocabulary = 1000;
  config.end_tokens = {0};
  return config;
}

std::vector<Token> tokens(Token first, size_t count) {
  std::vector<Token> out(count);
  std::iota(out.begin(), out.end(), first);
  return out;
}

GenerationSpec asking(std::vector<Token> prompt, uint32_t max_tokens) {
  GenerationSpec spec;
  spec.prompt = std::move(prompt);
  spec.max_tokens = max_tokens;
  spec.ignore_eos = true;  // so that an answer has the length that the test counts on
  return spec;
}

Rig::Rig(EngineConfig c, bool width_matters) : config(std::move(c)), engine(config), runtime(config, width_matters) {}

Result<void> Rig::submit(uint64_t id, GenerationSpec spec) {
  auto result = engine.submit(GenerationId{id}, std::move(spec), now);
  engine.check_invariants();
  return result;
}

void Rig::must_submit(uint64_t id, GenerationSpec spec) {
  const auto result = submit(id, std::move(spec));
  ASSERT_TRUE(result) << result.error().message;
}

void Rig::cancel(uint64_t id) {
  engine.cancel(GenerationId{id});
  engine.check_invariants();
  listen();
}

void Rig::finish(uint64_t id, FinishReason reason) {
  engine.finish(GenerationId{id}, reason);
  engine.check_invariants();
  listen();
}

StepSeen Rig::step() {
  StepSeen s = step_unacknowledged();
  engine.on_ack(s.step);
  return s;
}

StepSeen Rig::step_unacknowledged() {
  now += std::chrono::milliseconds(1);
  const StepPlan plan = engine.plan(now);
  if (plan.empty()) {
    listen();
    return {};
  }
  StepSeen s = seen(plan);
  engine.check_invariants();
  engine.on_step_done(plan, runtime.carry_out(plan, engine), now);
  engine.check_invariants();
  listen();
  return s;
}

void Rig::run_until_idle(int steps_max) {
  for (int i = 0; i < steps_max && !engine.idle(); ++i) step();
  EXPECT_TRUE(engine.idle()) << "still busy after " << steps_max << " steps";
}

void Rig::listen() {
  for (Fact& fact : engine.take_facts()) {
    if (auto* f = std::get_if<GenerationStartedFact>(&fact)) {
      told(f->generation.raw).started_with = f->cached_tokens;
      start_order.push_back(f->generation.raw);
    } else if (auto* t = std::get_if<TokenFact>(&fact)) {
      EXPECT_TRUE(told(t->generation.raw).started_with);
      EXPECT_FALSE(told(t->generation.raw).finished || told(t->generation.raw).failed);
      told(t->generation.raw).answer.push_back(t->choice.token);
      told(t->generation.raw).is_end_token.push_back(t->is_end_token);
    } else if (auto* e = std::get_if<GenerationFinishedFact>(&fact)) {
      EXPECT_FALSE(told(e->generation.raw).finished || told(e->generation.raw).failed);
      told(e->generation.raw).finished = *e;
    } else {
      auto& x = std::get<GenerationFailedFact>(fact);
      EXPECT_FALSE(told(x.generation.raw).finished || told(x.generation.raw).failed);
      told(x.generation.raw).failed = x.error;
    }
  }
}

}  // namespace sluice::engine
