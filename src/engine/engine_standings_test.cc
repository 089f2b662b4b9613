// What is said of each generation to whoever watches: what is done for it, or what it waits for.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/engine_rig.h"

namespace sluice::engine {
namespace {

using namespace std::chrono_literals;

EngineConfig lanes_of(uint32_t lanes) {
  EngineConfig config = small_config();
  config.lanes = lanes;
  config.window = 4096;
  return config;
}

struct Watched : Rig {
  explicit Watched(const EngineConfig& c) : Rig(c) {}
  Standing of(uint64_t id) const {
    const auto all = engine.standings(now);
    const auto found = std::ranges::find(all, GenerationId{id}, &Standing::generation);
    EXPECT_NE(found, all.end()) << "generation " << id;
    return found == all.end() ? Standing{} : *found;
  }
  void ask(uint64_t id, Class cls, uint32_t prompt = 10) {
    GenerationSpec spec = asking(tokens(static_cast<Token>(id) * 20, prompt), 50);
    spec.cls = cls;
    must_submit(id, std::move(spec));
  }
};

TEST(EngineStandings, APromptIsReadAndThenItsAnswerIsWritten) {
  EngineConfig config = lanes_of(1);
  config.call_tokens = 64;
  config.chunk_time = 1ms;
  config.row_time = 20us;
  Watched rig(config);
  rig.ask(1, Class::agent, 500);
  EXPECT_EQ(rig.of(1).doing, Doing::waiting);
  EXPECT_EQ(rig.of(1).computed, 0u);
  rig.step();
  const Standing read = rig.of(1);
  EXPECT_EQ(read.doing, Doing::prefill);
  EXPECT_GT(read.computed, 0u);
  EXPECT_LT(read.computed, 500u);
  EXPECT_TRUE(read.sequence);
  for (int i = 0; i < 500 && rig.told(1).answer.size() < 3; ++i) rig.step();
  EXPECT_EQ(rig.of(1).doing, Doing::decode);
  EXPECT_EQ(rig.of(1).computed, 502u);
  EXPECT_EQ(rig.of(1).waits_for, WaitsFor::nothing);
}

TEST(EngineStandings, WhoHasNoLaneIsToldHowManyComeBeforeIt) {
  Watched rig(lanes_of(1));
  rig.ask(1, Class::interactive);
  rig.step();
  rig.ask(2, Class::background);
  rig.ask(3, Class::agent);
  rig.ask(4, Class::completion);
  EXPECT_EQ(rig.of(4).ahead, 0u);
  EXPECT_EQ(rig.of(3).ahead, 1u);
  EXPECT_EQ(rig.of(2).ahead, 2u);
  for (uint64_t id = 2; id <= 4; ++id) EXPECT_EQ(rig.of(id).waits_for, WaitsFor::lane) << id;
  rig.cancel(1);
  EXPECT_EQ(rig.of(4).waits_for, WaitsFor::step);
  EXPECT_EQ(rig.of(3).waits_for, WaitsFor::lane) << "the one lane is for another";
}

TEST(EngineStandings, AClassThatIsFullIsWhatItWaitsFor) {
  EngineConfig config = lanes_of(3);
  config.class_lanes[static_cast<size_t>(Class::background)] = 1;
  Watched rig(config);
  rig.ask(1, Class::background);
  rig.ask(2, Class::background);
  EXPECT_EQ(rig.of(1).waits_for, WaitsFor::step);
  EXPECT_EQ(rig.of(2).waits_for, WaitsFor::class_lanes) << "the one before it will have the class's lane";
  rig.step();
  EXPECT_EQ(rig.of(2).waits_for, WaitsFor::class_lanes);
  rig.ask(3, Class::agent);
  EXPECT_EQ(rig.of(3).waits_for, WaitsFor::step);
}

TEST(EngineStandings, WhoGaveItsLaneAwayIsPreemptedAndItsKvParked) {
  Watched rig(lanes_of(1));
  rig.runtime.call_time = [](const PlannedCall& call, uint32_t) {
    return 2ms * static_cast<int>(call.feeds.front().tokens.size());
  };
  rig.must_submit(1, asking(tokens(1, 900), 400));
  for (int i = 0; i < 100 && rig.told(1).answer.size() < 5; ++i) rig.step();
  const uint32_t computed = rig.of(1).computed;
  EXPECT_EQ(rig.engine.stats().parked_now, 0u);
  rig.ask(2, Class::interactive);
  rig.step();
  const Standing parked = rig.of(1);
  EXPECT_EQ(parked.doing, Doing::preempted);
  EXPECT_EQ(parked.waits_for, WaitsFor::lane);
  EXPECT_EQ(parked.parked, computed);
  EXPECT_EQ(parked.computed, computed);
  EXPECT_FALSE(parked.sequence);
  EXPECT_EQ(rig.engine.stats().parked_now, computed);
  rig.now += 3s;
  EXPECT_GE(rig.of(1).starved, 3s);
  rig.run_until_idle();
  EXPECT_EQ(rig.engine.stats().parked_now, 0u);
}

TEST(EngineStandings, ADaemonThatTakesNothingIsWhatAllWaitFor) {
  Watched rig(lanes_of(1));
  rig.must_submit(1, asking(tokens(1, 10), 2000));
  for (uint64_t i = 0; i < limits::unacknowledged_steps_max; ++i) rig.step_unacknowledged();
  rig.ask(2, Class::agent);
  EXPECT_EQ(rig.of(1).waits_for, WaitsFor::daemon);
  EXPECT_EQ(rig.of(2).waits_for, WaitsFor::daemon);
}

TEST(EngineStandings, ASequenceThatHoldsAPromptsStartIsSeenAsCached) {
  Watched rig(lanes_of(1));
  rig.run(1, asking(tokens(1, 40), 2));
  rig.must_submit(2, asking(tokens(1, 60), 5));
  rig.step();
  EXPECT_GE(rig.of(2).cached, 38u);
}

TEST(EngineStats, CallsOfPromptsAreCountedApart) {
  Watched rig(lanes_of(1));
  rig.run(1, asking(tokens(1, 40), 5));
  EXPECT_EQ(rig.engine.stats().calls_prefill, 1u);
  EXPECT_EQ(rig.engine.stats().calls, 5u);
}

}  // namespace
}  // namespace sluice::engine
