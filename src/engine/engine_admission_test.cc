#include <gtest/gtest.h>

#include "engine/engine_rig.h"

namespace sluice::engine {
namespace {

ErrorCode refused(Rig& rig, uint64_t id, GenerationSpec spec, const std::string& field = {}) {
  const auto result = rig.submit(id, std::move(spec));
  EXPECT_FALSE(result);
  if (result) return ErrorCode::internal;
  EXPECT_EQ(result.error().field, field);
  EXPECT_FALSE(result.error().message.empty());
  return result.error().code;
}

TEST(EngineAdmission, RefusesWhatCannotBeAskedAndNamesTheField) {
  Rig rig;
  EXPECT_EQ(refused(rig, 1, asking({}), "prompt"), ErrorCode::invalid);
  EXPECT_EQ(refused(rig, 1, asking({1, 1000}), "prompt"), ErrorCode::invalid);
  EXPECT_EQ(refused(rig, 1, asking({-1}), "prompt"), ErrorCode::invalid);
  EXPECT_EQ(refused(rig, 1, asking({1}, 0), "max_tokens"), ErrorCode::invalid);
  EXPECT_EQ(refused(rig, 0, asking({1})), ErrorCode::invalid);
  GenerationSpec biased = asking({1});
  biased.sampling.logit_bias = {{1, 1.0f}, {1000, 1.0f}};
  EXPECT_EQ(refused(rig, 1, biased, "logit_bias"), ErrorCode::invalid);
}

TEST(EngineAdmission, ARefusedGenerationLeavesNoTrace) {
  Rig rig;
  refused(rig, 1, asking({1, 1000}), "prompt");
  EXPECT_TRUE(rig.engine.idle());
  EXPECT_EQ(rig.step().step, 0u);
  rig.run(1, asking({1, 2}));
  EXPECT_TRUE(rig.told(1).finished);
}

TEST(EngineAdmission, AnIdThatLivesIsRefusedAndFreeAgainAfterItsEnd) {
  Rig rig;
  rig.must_submit(1, asking({1, 2}));
  EXPECT_EQ(refused(rig, 1, asking({1, 2})), ErrorCode::invalid);
  rig.run_until_idle();
  EXPECT_TRUE(rig.submit(1, asking({1, 2})));
}

TEST(EngineAdmission, APromptMustLeaveRoomForOneTokenInTheWindow) {
  Rig rig;  // window 256
  EXPECT_EQ(refused(rig, 1, asking(tokens(1, 256)), "prompt"), ErrorCode::context_length);
  rig.run(1, asking(tokens(1, 255)));
  EXPECT_EQ(rig.told(1).answer.size(), 1u);
}

TEST(EngineAdmission, OverTheBoundOfWaitingOnesIsOverloaded) {
  EngineConfig config = small_config();
  config.lanes = 1;
  config.waiting_max = 2;
  Rig rig(config);
  rig.must_submit(1, asking({1, 2}));
  rig.step();
  rig.must_submit(2, asking({1, 2}));
  rig.must_submit(3, asking({1, 2}));
  EXPECT_EQ(refused(rig, 4, asking({1, 2})), ErrorCode::overloaded);
  rig.cancel(3);
  EXPECT_TRUE(rig.submit(4, asking({1, 2})));
}

TEST(EngineAdmission, WhoeverHasAFreeLaneComingDoesNotCountAsWaiting) {
  EngineConfig config = small_config();
  config.lanes = 2;
  config.waiting_max = 0;
  Rig rig(config);
  EXPECT_TRUE(rig.submit(1, asking({1, 2})));
  EXPECT_TRUE(rig.submit(2, asking({1, 2})));
  EXPECT_EQ(refused(rig, 3, asking({1, 2})), ErrorCode::overloaded);
}

TEST(EngineAdmission, LanesAreGivenInOrderOfArrival) {
  EngineConfig config = small_config();
  config.lanes = 1;
  Rig rig(config);
  for (uint64_t id = 1; id <= 5; ++id) rig.must_submit(id, asking({static_cast<Token>(id), 2}, 3));
  rig.run_until_idle();
  EXPECT_EQ(rig.start_order, (std::vector<uint64_t>{1, 2, 3, 4, 5}));
}

TEST(EngineAdmission, StartedIsToldWithThePlanSoThatItsTimeIsRight) {
  Rig rig;
  rig.must_submit(1, asking({1, 2}));
  const StepPlan plan = rig.engine.plan(rig.now);
  const auto facts = rig.engine.take_facts();
  ASSERT_EQ(facts.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<GenerationStartedFact>(facts.front()));
}

TEST(EngineAdmission, StatsCountLanesAndWaitingOnes) {
  Rig rig;  // 4 lanes
  for (uint64_t id = 1; id <= 6; ++id) rig.must_submit(id, asking({static_cast<Token>(id), 2}));
  EXPECT_EQ(rig.engine.stats().waiting, 6u);
  rig.step();
  EXPECT_EQ(rig.engine.stats().lanes_busy, 4u);
  EXPECT_EQ(rig.engine.stats().waiting, 2u);
  EXPECT_FALSE(rig.engine.idle());
  rig.run_until_idle();
  EXPECT_EQ(rig.engine.stats().lanes_busy, 0u);
  EXPECT_EQ(rig.engine.stats().rows_prefill, 12u);
  EXPECT_EQ(rig.engine.stats().rows_decode, 6u * 7);
}

}  // namespace
}  // namespace sluice::engine
