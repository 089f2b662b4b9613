#include "worker/executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "runtime/fake_runtime.h"

namespace sluice::worker {
namespace {

constexpr Token kEnd = 99;
constexpr Token kSpoilt = 77;

Capabilities choosing(bool offered) {
  auto can = fake_capabilities(4, 128, 100, {kEnd});
  if (offered) can.device_sampling = Capability::yes();
  return can;
}

// A sequence that begins with kSpoilt has no logits that are numbers, from its seventh token on.
LogitsRule spoilt_logits() {
  return [sound = peaky_logits({kEnd})](std::span<const Token> tokens, uint64_t hash, std::span<float> row) {
    sound(tokens, hash, row);
    if (tokens.front() != kSpoilt || tokens.size() < 7) return;
    std::ranges::fill(row, std::numeric_limits<float>::quiet_NaN());
  };
}

// Counts what is wanted of the rows it computes.
class WatchedRuntime final : public Runtime {
 public:
  explicit WatchedRuntime(bool offered) : inner_({.capabilities = choosing(offered), .logits = spoilt_logits()}) {}
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

struct Told {
  std::vector<Token> said;
  std::optional<Error> failed;
};

// Of generations 1, 2, ... side by side.
std::map<uint64_t, Told> answers(WatchedRuntime& runtime, const std::vector<GenerationSpec>& specs) {
  engine::Engine engine(config_of(runtime.capabilities()));
  Executor executor(runtime, engine);
  std::map<uint64_t, Told> told;
  for (uint64_t id = 1; id <= specs.size(); ++id) EXPECT_TRUE(engine.submit(GenerationId{id}, specs[id - 1], {}));
  while (!engine.idle()) {
    const auto plan = engine.plan({});
    engine.on_step_done(plan, executor.execute(plan), {});
    engine.on_ack(plan.step);
    for (const engine::Fact& fact : engine.take_facts()) {
      if (const auto* token = std::get_if<engine::TokenFact>(&fact))
        told[token->generation.raw].said.push_back(token->choice.token);
      if (const auto* failed = std::get_if<engine::GenerationFailedFact>(&fact))
        told[failed->generation.raw].failed = failed->error;
    }
  }
  return told;
}

std::vector<Token> answer(WatchedRuntime& runtime, const GenerationSpec& spec) {
  return answers(runtime, {spec})[1].said;
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

TEST(Executor, WithoutAPossibleTokenOneGenerationFailsAndItsNeighboursGoOn) {
  GenerationSpec spoilt = greedy();
  spoilt.prompt.front() = kSpoilt;
  for (const bool on_device : {false, true}) {
    WatchedRuntime together(on_device), alone(on_device);
    auto told = answers(together, {spoilt, greedy()});
    ASSERT_TRUE(told[1].failed) << on_device;
    EXPECT_EQ(told[1].failed->code, ErrorCode::fault);
    EXPECT_NE(told[1].failed->message.find("NaN"), std::string::npos) << told[1].failed->message;
    EXPECT_EQ(told[1].said.size(), 3u);
    EXPECT_FALSE(told[2].failed);
    EXPECT_EQ(told[2].said, answer(alone, greedy()));
  }
}

}  // namespace
}  // namespace sluice::worker
