// A daemon that does not take frames stops the engine.
#include <gtest/gtest.h>

#include "engine/engine_rig.h"

namespace sluice::engine {
namespace {

constexpr uint64_t kMax = limits::unacknowledged_steps_max;

struct Unread : Rig {
  Unread() {
    must_submit(1, asking(tokens(1, 10), 200));
    for (uint64_t i = 1; i <= kMax; ++i) EXPECT_EQ(step_unacknowledged().step, i);
  }
};

TEST(EngineAck, WithTooManyStepsUnreadNothingIsPlanned) {
  Unread rig;
  EXPECT_EQ(rig.step_unacknowledged().step, 0u);
  rig.must_submit(2, asking(tokens(300, 10), 5));
  EXPECT_EQ(rig.step_unacknowledged().step, 0u);
  EXPECT_EQ(rig.engine.stats().waiting, 1u);
}

TEST(EngineAck, EachStepReadAllowsAnother) {
  Unread rig;
  rig.engine.on_ack(1);
  EXPECT_EQ(rig.step_unacknowledged().step, kMax + 1);
  EXPECT_EQ(rig.step_unacknowledged().step, 0u);
}

TEST(EngineAck, AnOlderAckTakesNothingBack) {
  Unread rig;
  rig.engine.on_ack(10);
  rig.engine.on_ack(3);
  for (int i = 0; i < 10; ++i) EXPECT_NE(rig.step_unacknowledged().step, 0u);
  EXPECT_EQ(rig.step_unacknowledged().step, 0u);
}

TEST(EngineAck, AStepThatWasNeverPlannedGivesNoCredit) {
  Unread rig;
  rig.engine.on_ack(1'000'000);
  rig.engine.check_invariants();
  for (uint64_t i = 0; i < kMax; ++i) EXPECT_NE(rig.step_unacknowledged().step, 0u);
  EXPECT_EQ(rig.step_unacknowledged().step, 0u);
}

TEST(EngineAck, CancelFreesTheLaneWhileNothingIsPlanned) {
  Unread rig;
  rig.cancel(1);
  EXPECT_TRUE(rig.engine.idle());
}

}  // namespace
}  // namespace sluice::engine
