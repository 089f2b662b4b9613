// How generations end: by their client, their output, an end token, a length.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/engine_rig.h"

namespace sluice::engine {
namespace {

EngineConfig one_lane() {
  EngineConfig config = small_config();
  config.lanes = 1;
  config.call_tokens = 16;
  return config;
}

void expect_silent_end(Rig& rig, uint64_t id) {
  EXPECT_FALSE(rig.told(id).finished);
  EXPECT_FALSE(rig.told(id).failed);
  rig.must_submit(99, asking({3, 4}, 1));
  rig.step();
  EXPECT_TRUE(rig.told(99).finished) << "the lane is not free";
  EXPECT_TRUE(rig.engine.idle());
}

TEST(EngineEnd, CancelOfAWaitingGenerationForgetsIt) {
  Rig rig(one_lane());
  rig.must_submit(1, asking(tokens(1, 10), 100));
  rig.must_submit(2, asking(tokens(1, 10), 100));
  rig.step();
  rig.cancel(2);
  EXPECT_EQ(rig.engine.stats().waiting, 0u);
  rig.cancel(1);
  EXPECT_FALSE(rig.told(2).started_with);
  expect_silent_end(rig, 2);
}

TEST(EngineEnd, CancelBeforeTheFirstStepForgetsIt) {
  Rig rig(one_lane());
  rig.must_submit(1, asking(tokens(1, 10), 100));
  rig.cancel(1);
  expect_silent_end(rig, 1);
}

TEST(EngineEnd, CancelInTheMiddleOfAPrefillFreesTheLane) {
  Rig rig(one_lane());
  rig.must_submit(1, asking(tokens(1, 100), 100));
  rig.step();
  ASSERT_TRUE(rig.told(1).answer.empty());
  rig.cancel(1);
  expect_silent_end(rig, 1);
}

TEST(EngineEnd, CancelOfADecodingGenerationFreesTheLane) {
  Rig rig(one_lane());
  rig.must_submit(1, asking(tokens(1, 10), 100));
  for (int i = 0; i < 5; ++i) rig.step();
  ASSERT_FALSE(rig.told(1).answer.empty());
  rig.cancel(1);
  expect_silent_end(rig, 1);
}

TEST(EngineEnd, CancelAfterTheEndOrOfAnUnknownIdIsIgnored) {
  Rig rig;
  rig.run(1, asking({1, 2}, 1));
  rig.cancel(1);
  rig.cancel(7);
  rig.finish(1, FinishReason::stop);
  EXPECT_TRUE(rig.engine.idle());
}

TEST(EngineEnd, FinishEndsARunningGenerationWithItsUsage) {
  Rig rig(one_lane());
  rig.must_submit(1, asking(tokens(1, 10), 100));
  for (int i = 0; i < 4; ++i) rig.step();
  rig.finish(1, FinishReason::stop);
  ASSERT_TRUE(rig.told(1).finished);
  EXPECT_EQ(rig.told(1).finished->reason, FinishReason::stop);
  EXPECT_EQ(rig.told(1).finished->usage.prompt_tokens, 10u);
  EXPECT_EQ(rig.told(1).finished->usage.completion_tokens, 4u);
  EXPECT_TRUE(rig.engine.idle());
}

TEST(EngineEnd, MaxTokensEndsByLength) {
  Rig rig;
  rig.run(1, asking({1, 2}, 5));
  EXPECT_EQ(rig.told(1).answer.size(), 5u);
  EXPECT_EQ(rig.told(1).finished->reason, FinishReason::length);
  EXPECT_EQ(rig.told(1).finished->usage.completion_tokens, 5u);
}

TEST(EngineEnd, AFullWindowEndsByLength) {
  Rig rig;  // window 256
  rig.run(1, asking(tokens(1, 250), 100));
  EXPECT_EQ(rig.told(1).answer.size(), 6u);
  EXPECT_EQ(rig.told(1).finished->reason, FinishReason::length);
}

// A prompt whose answer ends by itself within 200 tokens.
GenerationSpec ending(const EngineConfig& config) {
  for (Token t = 1;; ++t) {
    GenerationSpec spec = asking({t, 2, 3}, 200);
    spec.ignore_eos = false;
    const auto answer = ToyRuntime::answer_alone(config, spec, false);
    if (answer.back() == 0 && answer.size() > 1 && answer.size() < 200) return spec;
  }
}

TEST(EngineEnd, AnEndTokenIsToldCountedAndEndsByStop) {
  Rig rig;
  const GenerationSpec spec = ending(rig.config);
  rig.run(1, spec);
  const Told& told = rig.told(1);
  EXPECT_EQ(told.answer, ToyRuntime::answer_alone(rig.config, spec, false));
  EXPECT_EQ(told.answer.back(), 0);
  EXPECT_TRUE(told.is_end_token.back());
  EXPECT_FALSE(told.is_end_token.front());
  EXPECT_EQ(told.finished->reason, FinishReason::stop);
  EXPECT_EQ(told.finished->usage.completion_tokens, told.answer.size());
}

TEST(EngineEnd, AnEndTokenAsTheLastAllowedOneStillEndsByStop) {
  Rig rig;
  GenerationSpec spec = ending(rig.config);
  spec.max_tokens = static_cast<uint32_t>(ToyRuntime::answer_alone(rig.config, spec, false).size());
  rig.run(1, spec);
  EXPECT_EQ(rig.told(1).finished->reason, FinishReason::stop);
}

TEST(EngineEnd, UnderIgnoreEosEndTokensAreForbiddenAndTheAnswerGoesOn) {
  Rig rig;
  GenerationSpec spec = ending(rig.config);
  spec.ignore_eos = true;
  rig.run(1, spec);
  EXPECT_EQ(rig.told(1).answer.size(), 200u);
  EXPECT_EQ(std::ranges::count(rig.told(1).answer, 0), 0);
}

}  // namespace
}  // namespace sluice::engine
