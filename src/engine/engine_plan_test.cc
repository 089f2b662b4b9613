// The shape of a step: who is fed how many rows, in which calls.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/engine_rig.h"

namespace sluice::engine {
namespace {

using namespace std::chrono_literals;

EngineConfig roomy() {
  EngineConfig config = small_config();
  config.window = 8192;
  config.vocabulary = 100000;
  return config;
}

// 1 ms a row of prefill, 5 ms a pass of decode.
Duration steady(const PlannedCall& call, uint32_t passes) {
  return call.kind == CallKind::prefill ? 1ms * static_cast<int>(call.feeds.front().tokens.size()) : 5ms * passes;
}

// Has learned the machine's pace from a few prompts, which leave nothing in the sequences that others match.
void warm_up(Rig& rig) {
  rig.runtime.call_time = steady;
  for (uint64_t id = 900; id < 904; ++id) rig.run(id, asking(tokens(static_cast<Token>(id) * 100, 600), 2));
}

TEST(EnginePlan, APromptIsPrefilledThenItsAnswerDecodedRowByRow) {
  Rig rig;
  rig.must_submit(1, asking(tokens(1, 10), 3));
  const StepSeen first = rig.step();
  ASSERT_EQ(first.calls.size(), 1u);
  EXPECT_EQ(first.calls[0].kind, CallKind::prefill);
  EXPECT_EQ(first.calls[0].feeds, (std::vector<FeedSeen>{{1, 0, 0, 10, true}}));
  EXPECT_EQ(rig.told(1).answer.size(), 1u);
  const StepSeen second = rig.step();
  ASSERT_EQ(second.calls.size(), 1u);
  EXPECT_EQ(second.calls[0].kind, CallKind::decode);
  EXPECT_EQ(second.calls[0].feeds, (std::vector<FeedSeen>{{1, 0, 10, 1, true}}));
  rig.step();
  EXPECT_TRUE(rig.told(1).finished);
  EXPECT_EQ(rig.step().step, 0u);
}

// Nothing has been computed yet, and no machine is too slow to be told from one that hangs.
TEST(EnginePlan, TheFirstStepIsForecastFromTheRowTimeMeasuredAtLoad) {
  EngineConfig config = roomy();
  config.row_time = 2s;
  Engine engine(config);
  ASSERT_TRUE(engine.submit(GenerationId{1}, asking(tokens(1, 500), 3), TimePoint{}));
  const StepPlan plan = engine.plan(TimePoint{});
  ASSERT_EQ(plan.calls.size(), 1u);
  EXPECT_GE(plan.predicted, 2s * static_cast<int>(plan.calls[0].feeds[0].tokens.size()));
  EXPECT_LE(plan.calls[0].feeds[0].tokens.size(), 2u);
}

TEST(EnginePlan, OneDecodeCallHoldsAllThatDecodeSortedBySequence) {
  Rig rig;
  for (uint64_t id = 1; id <= 4; ++id) rig.must_submit(id, asking(tokens(static_cast<Token>(id) * 50, 10)));
  rig.step();
  const StepSeen s = rig.step();
  ASSERT_EQ(s.calls.size(), 1u);
  ASSERT_EQ(s.calls[0].feeds.size(), 4u);
  EXPECT_TRUE(std::ranges::is_sorted(s.calls[0].feeds, {}, &FeedSeen::seq));
}

TEST(EnginePlan, MoreDecodersThanACallTakesAreSplit) {
  EngineConfig config = small_config();
  config.call_tokens = 3;
  Rig rig(config);
  for (uint64_t id = 1; id <= 4; ++id) rig.must_submit(id, asking(tokens(static_cast<Token>(id) * 50, 3), 20));
  for (int i = 0; i < 4; ++i) rig.step();
  const StepSeen s = rig.step();
  ASSERT_EQ(s.calls.size(), 2u);
  EXPECT_EQ(s.calls[0].feeds.size(), 3u);
  EXPECT_EQ(s.calls[1].feeds.size(), 1u);
}

TEST(EnginePlan, DecodeGoesOnBesideALongPrefill) {
  Rig rig(roomy());
  warm_up(rig);
  rig.must_submit(1, asking(tokens(1, 10), 100));
  rig.step();
  rig.must_submit(2, asking(tokens(5000, 2000), 2));
  size_t steps = 0;
  while (rig.told(2).answer.empty()) {
    const size_t before = rig.told(1).answer.size();
    const StepSeen s = rig.step();
    ASSERT_EQ(s.of(CallKind::decode).size(), 1u);
    ASSERT_EQ(s.calls.front().kind, CallKind::decode);
    ASSERT_EQ(s.of(CallKind::prefill).size(), 1u);
    EXPECT_EQ(rig.told(1).answer.size(), before + 1);
    ++steps;
  }
  EXPECT_GE(steps, 7u);
}

TEST(EnginePlan, ShortPromptsThatArriveTogetherAreAllPrefilledInOneStep) {
  Rig rig(roomy());
  warm_up(rig);
  for (uint64_t id = 1; id <= 4; ++id) rig.must_submit(id, asking(tokens(static_cast<Token>(id) * 50, 30)));
  const StepSeen s = rig.step();
  EXPECT_EQ(s.prefill_rows(), (std::vector<size_t>{30, 30, 30, 30}));
  for (uint64_t id = 1; id <= 4; ++id) EXPECT_EQ(rig.told(id).answer.size(), 1u);
}

TEST(EnginePlan, PrefillPartOfAStepStaysWithinTheChunkTimeWhetherSomebodyDecodesOrNot) {
  for (const bool beside : {false, true}) {
    EngineConfig config = roomy();
    config.chunk_time = 100ms;
    Rig rig(config);
    warm_up(rig);
    if (beside) rig.run(1, asking(tokens(1, 10), 1)), rig.must_submit(2, asking(tokens(300, 10), 500)), rig.step();
    rig.must_submit(3, asking(tokens(5000, 1500), 2));
    std::vector<size_t> rows;
    while (rig.told(3).answer.empty()) {
      Duration predicted{};
      for (const CallSeen& call : rig.step().of(CallKind::prefill)) {
        predicted += call.predicted;
        rows.push_back(call.feeds.front().rows);
      }
      EXPECT_LE(predicted, config.chunk_time);
    }
    EXPECT_GE(*std::ranges::max_element(rows), 60u);  // and the time is made use of
    EXPECT_LE(*std::ranges::max_element(rows), 140u);
  }
}

TEST(EnginePlan, PromptsThatDoNotFitTheStepTogetherGoFirstComeFirstServed) {
  EngineConfig config = roomy();
  config.chunk_time = 100ms;
  Rig rig(config);
  warm_up(rig);
  for (uint64_t id = 1; id <= 3; ++id) rig.must_submit(id, asking(tokens(static_cast<Token>(id) * 1000, 300)));
  std::vector<uint64_t> order;
  while (rig.told(3).answer.empty()) {
    for (const CallSeen& call : rig.step().of(CallKind::prefill)) order.push_back(call.feeds.front().generation);
  }
  EXPECT_TRUE(std::ranges::is_sorted(order));
}

TEST(EnginePlan, AFurtherPromptIsLeftForTheNextStepWhereItsTimeIsUp) {
  EngineConfig config = roomy();
  config.chunk_time = 100ms;
  Rig rig(config);
  warm_up(rig);
  rig.must_submit(1, asking(tokens(1000, 70)));
  rig.must_submit(2, asking(tokens(2000, 50)));
  EXPECT_EQ(rig.step().prefill_rows(), (std::vector<size_t>{70}));
  EXPECT_EQ(rig.step().prefill_rows(), (std::vector<size_t>{50}));
}

TEST(EnginePlan, EvenTheShortestPromptWaitsWhereTheTimeIsUp) {
  EngineConfig config = roomy();
  config.chunk_time = 100ms;
  Rig rig(config);
  warm_up(rig);
  rig.must_submit(1, asking(tokens(1000, 500)));
  rig.must_submit(2, asking(tokens(2000, 2)));
  EXPECT_EQ(rig.step().of(CallKind::prefill).size(), 1u);
}

TEST(EnginePlan, AFurtherPromptIsNotBegunWithACrumb) {
  EngineConfig config = roomy();
  config.chunk_time = 100ms;
  Rig rig(config);
  warm_up(rig);
  rig.must_submit(1, asking(tokens(1000, 80)));
  rig.must_submit(2, asking(tokens(2000, 500)));
  EXPECT_EQ(rig.step().prefill_rows(), (std::vector<size_t>{80}));
}

TEST(EnginePlan, ACallNeverHasMoreRowsThanTheRuntimeTakes) {
  EngineConfig config = roomy();
  config.call_tokens = 128;
  Rig rig(config);
  rig.runtime.call_time = [](const PlannedCall&, uint32_t) { return 1us; };
  rig.must_submit(1, asking(tokens(1, 1000), 1));
  size_t most = 0;
  while (!rig.engine.idle()) {
    for (const size_t rows : rig.step().prefill_rows()) most = std::max(most, rows);
  }
  EXPECT_EQ(most, 128u);
}

TEST(EnginePlan, AMachineTooSlowForTheChunkTimeStillGetsOn) {
  EngineConfig config = roomy();
  config.chunk_time = 1ms;
  Rig rig(config);
  rig.runtime.call_time = [](const PlannedCall&, uint32_t) { return 1s; };
  rig.run(1, asking(tokens(1, 51), 2));
  EXPECT_TRUE(rig.told(1).finished);
}

// With two rows a call, as few as the time would buy, a prompt would take a hundred times as long as it must.
TEST(EnginePlan, WhereACallCostsMoreThanTheChunkTimeAPromptIsNotCutIntoCrumbs) {
  EngineConfig config = roomy();
  config.costs.prefill = {.pass_us = 900'000, .row_us = 1000, .deep_row_us = 0, .samples = 4};
  config.costs.prefill_rows = 300;
  Rig rig(config);
  rig.runtime.call_time = [](const PlannedCall& call, uint32_t) {
    return 900ms + 1ms * static_cast<int>(call.feeds.front().tokens.size());
  };
  rig.must_submit(1, asking(tokens(1, 2000), 2));
  EXPECT_GE(rig.step().prefill_rows().front(), 500u);
}

TEST(EnginePlan, EveryCallAndStepHasAForecast) {
  Rig rig;
  rig.must_submit(1, asking(tokens(1, 10), 3));
  while (!rig.engine.idle()) {
    const StepPlan plan = rig.engine.plan(rig.now);
    Duration sum{};
    for (const PlannedCall& call : plan.calls) sum += call.predicted;
    EXPECT_GT(sum, Duration{});
    EXPECT_EQ(plan.predicted, sum);
    rig.engine.on_step_done(plan, rig.runtime.carry_out(plan, rig.engine), rig.now);
  }
}

TEST(EnginePlan, TheSamplerSeesPromptAndAnswerSoFarAndWhatIsForbidden) {
  Rig rig;
  GenerationSpec spec = asking({5, 6, 7}, 3);
  spec.choice = 2;
  spec.sampling.seed = 77;
  rig.must_submit(1, spec);
  rig.step();
  const SamplingView view = rig.engine.sampling_view({1});
  EXPECT_EQ(view.known.size(), 4u);
  EXPECT_EQ(view.prompt_tokens, 3u);
  EXPECT_EQ(view.choice, 2u);
  EXPECT_EQ(view.params->seed, 77u);
  EXPECT_EQ(std::vector<Token>(view.forbidden.begin(), view.forbidden.end()), (std::vector<Token>{0}));
  spec.ignore_eos = false;
  rig.must_submit(2, spec);
  EXPECT_TRUE(rig.engine.sampling_view({2}).forbidden.empty());
}

}  // namespace
}  // namespace sluice::engine
