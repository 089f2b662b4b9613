#include "worker/executor.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/fake_runtime.h"

namespace sluice::worker {
namespace {

constexpr Token kEnd = 99;

Capabilities choosing(bool offered) {
  auto can = fake_capabilities(4, 128, 100, {kEnd});
  if (offered) can.device_sampling = Capability::yes();
  return can;
}

// Counts what is wanted of the rows it computes.
class WatchedRuntime final : public Runtime {
 public:
  explicit WatchedRuntime(bool offered) : inner_({.capabilities = choosing(offered)}) {}
  const Capabilities& capabilities() const override { return inner_.capabilities(); }
  PassCost passes_of(std::span<const Feed> feeds) const override { return inner_.passes_of(feeds); }
  Result<void> step(std::span<const Feed> feeds, LogitsSink& sink) override {
    const auto wanting = [feeds](LogitsWanted wanted) { return std::ranges::count(feeds, wanted, &Feed::logits); };
    rows += wanting(LogitsWanted::last);
    tokens += wanting(LogitsWanted::likeliest);
    return inner_.step(feeds, sink);
  }
  Position computed(SequenceId seq) const override { return inner_.computed(seq); }
  Result<void> copy(SequenceId from, SequenceId to, Position upto) override { return inner_.copy(from, to, upto); }
  Result<void> truncate(SequenceId seq, Position upto) override { return inner_.truncate(seq, upto); }
  Result<Snapshot> export_kv(SequenceId seq, Position upto) override { return inner_.export_kv(seq, upto); }
  Result<void> import_kv(SequenceId seq, const Snapshot& snapshot) override { return inner_.import_kv(seq, snapshot); }
  void drop(SequenceId seq) override { inner_.drop(seq); }
  MemoryUse memory() const override { return inner_.memory(); }
  void abort_step() override { inner_.abort_step(); }

  std::ptrdiff_t rows = 0, tokens = 0;

 private:
  FakeRuntime inner_;
};

engine::EngineConfig config_of(const Capabilities& can) {
  return {.lanes = can.sequences, .window = can.window, .vocabulary = can.vocabulary, .end_tokens = can.end_tokens};
}

GenerationSpec greedy() {
  GenerationSpec spec;
  spec.prompt = {1, 2, 3, 4};
  spec.sampling.temperature = 0;
  spec.max_tokens = 12;
  return spec;
}

std::vector<Token> answer(WatchedRuntime& runtime, GenerationSpec spec) {
  engine::Engine engine(config_of(runtime.capabilities()));
  Executor executor(runtime, engine);
  std::vector<Token> said;
  EXPECT_TRUE(engine.submit(GenerationId{1}, std::move(spec), {}));
  while (!engine.idle()) {
    const auto plan = engine.plan({});
    engine.on_step_done(plan, executor.execute(plan), {});
    engine.on_ack(plan.step);
    for (const engine::Fact& fact : engine.take_facts())
      if (const auto* token = std::get_if<engine::TokenFact>(&fact)) said.push_back(token->choice.token);
  }
  return said;
}

TEST(Executor, AGreedyAnswerIsChosenOnTheDeviceAndTheSame) {
  WatchedRuntime plain(false), device(true);
  const auto wanted = answer(plain, greedy());
  EXPECT_EQ(answer(device, greedy()), wanted);
  ASSERT_FALSE(wanted.empty());
  EXPECT_EQ(device.rows, 0);
  EXPECT_EQ(device.tokens, static_cast<std::ptrdiff_t>(wanted.size()));
  EXPECT_EQ(plain.tokens, 0);
}

TEST(Executor, WhatNeedsMoreThanTheLikeliestTokenIsDrawnFromRows) {
  std::vector<GenerationSpec> specs(7, greedy());
  specs[0].sampling.temperature = 0.7f;
  specs[1].sampling.logit_bias = {{5, 100.0f}};
  specs[2].sampling.presence_penalty = 1;
  specs[3].sampling.frequency_penalty = 1;
  specs[4].sampling.repeat_penalty = 1.5f;
  specs[5].sampling.top_logprobs = 0;
  specs[6].ignore_eos = true;
  for (size_t i = 0; i < specs.size(); ++i) {
    WatchedRuntime plain(false), device(true);
    EXPECT_EQ(answer(device, specs[i]), answer(plain, specs[i])) << i;
    EXPECT_EQ(device.tokens, 0) << i;
    EXPECT_GT(device.rows, 0) << i;
  }
}

}  // namespace
}  // namespace sluice::worker
