// Keys and sessions share the lanes: who has none gets one at once, and who has work has as many as the others.
#include <gtest/gtest.h>

#include <array>

#include "engine/engine_rig.h"

namespace sluice::engine {
namespace {

using namespace std::chrono_literals;

constexpr uint64_t kNewcomer = 100;

// All that each asks for is less than what makes an answer long: nobody outranks anybody for having got less.
struct SharedRig : Rig {
  explicit SharedRig(uint32_t lanes, uint32_t window = 256) : Rig(config_of(lanes, window)) {}
  static EngineConfig config_of(uint32_t lanes, uint32_t window = 256) {
    EngineConfig config = small_config();
    config.lanes = lanes;
    config.window = window;
    config.vocabulary = 100000;
    return config;
  }
  GenerationSpec ask(uint32_t key, uint64_t session = 0) {
    next_ += 100;
    GenerationSpec spec = asking(tokens(next_, 10), 100);
    spec.key = key;
    spec.session = session;
    return spec;
  }
  void queue(uint64_t first_id, int count, uint32_t key, uint64_t session = 0) {
    for (int i = 0; i < count; ++i) must_submit(first_id + static_cast<uint64_t>(i), ask(key, session));
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) step();
  }
  // Of 20 that are there, as many as have lanes have been read.
  void fill(uint32_t key, uint64_t session = 0) {
    queue(1, 20, key, session);
    steps(6);
  }
  bool is_answered_at_once(const GenerationSpec& newcomer) {
    must_submit(kNewcomer, newcomer);
    steps(2);
    return !told(kNewcomer).answer.empty();
  }
  uint32_t lanes_of(uint64_t first_id, uint64_t last_id) const {
    uint32_t lanes = 0;
    for (const Holding& h : engine.holdings())
      lanes += h.runs && h.generation.raw >= first_id && h.generation.raw <= last_id;
    return lanes;
  }

 private:
  Token next_ = 0;
};

TEST(EngineKeys, AKeyWithoutALaneGetsOneAtOnce) {
  SharedRig rig(4);
  rig.fill(1);
  EXPECT_TRUE(rig.is_answered_at_once(rig.ask(2)));
}

TEST(EngineKeys, ASessionWithoutALaneGetsOneAtOnce) {
  SharedRig rig(4);
  rig.fill(1, 7);
  EXPECT_TRUE(rig.is_answered_at_once(rig.ask(1, 8)));
}

TEST(EngineKeys, WhoNamesNoSessionWaitsForItsTurn) {
  SharedRig rig(4);
  rig.fill(1);
  EXPECT_FALSE(rig.is_answered_at_once(rig.ask(1)));
}

TEST(EngineKeys, TwoThatHaveWorkHaveAsManyLanes) {
  SharedRig rig(8);
  rig.queue(1, 20, 1);
  rig.steps(12);
  EXPECT_EQ(rig.lanes_of(1, 20), 8u);
  rig.queue(kNewcomer, 20, 2);
  rig.steps(2);
  EXPECT_EQ(rig.lanes_of(1, 20), 4u);
  EXPECT_EQ(rig.lanes_of(kNewcomer, kNewcomer + 19), 4u);
}

TEST(EngineKeys, ALaneThatIsOneTooManyForBothStaysWhereItIs) {
  SharedRig rig(3);
  rig.queue(1, 20, 1);
  rig.steps(6);
  rig.queue(kNewcomer, 20, 2);
  rig.steps(2);
  const uint64_t preemptions = rig.engine.stats().preemptions;
  rig.steps(6);
  EXPECT_EQ(rig.engine.stats().preemptions, preemptions);
}

TEST(EngineKeys, AKeyThatIsAloneHasAllLanes) {
  SharedRig rig(8);
  rig.queue(1, 20, 1);
  rig.queue(kNewcomer, 2, 2);
  rig.steps(12);
  EXPECT_EQ(rig.lanes_of(1, 20), 6u);
}

TEST(EngineKeys, AQueueThatHasWaitedForLongDoesNotGoBeforeAnotherKey) {
  SharedRig rig(4);
  rig.fill(1);
  rig.now += 15s;
  rig.step();
  EXPECT_TRUE(rig.is_answered_at_once(rig.ask(2)));
}

// Else their queues, in which somebody has always waited for long, would take the lanes from each other in every step.
TEST(EngineKeys, WhereKeysWithLongQueuesAreMoreThanLanesTheLanesDoNotGoRoundInEveryStep) {
  SharedRig rig(2, 8192);
  for (uint32_t key = 1; key <= 4; ++key) rig.queue(100 * key, 20, key);
  rig.now += 60s;
  rig.steps(40);
  EXPECT_LT(rig.engine.stats().preemptions, 10u);
}

TEST(EngineKeys, AClassThatGetsNothingMovesUpWithinItsKey) {
  SharedRig rig(2);
  GenerationSpec background = rig.ask(1);
  background.cls = Class::background;
  rig.must_submit(kNewcomer, background);
  for (uint64_t id = 1; id <= 20; ++id) {
    GenerationSpec interactive = rig.ask(1);
    interactive.cls = Class::interactive;
    rig.must_submit(id, interactive);
  }
  rig.steps(6);
  EXPECT_EQ(rig.lanes_of(kNewcomer, kNewcomer), 0u);
  rig.now += 31s;
  rig.steps(110);  // until one of the others ends
  EXPECT_FALSE(rig.told(kNewcomer).answer.empty());
}

// As many lanes as keys: whoever is last in order need not be whose lane a newcomer may take.
struct AtParity : Rig {
  AtParity() : Rig(config_of()) {
    must_submit(1, long_answer(1, 2900));
    step_until_answered(1);
    must_submit(2, long_answer(2, 50));  // has got 512 when 1 has got 2,048
    for (int i = 0; i < 320; ++i) step();
  }
  static EngineConfig config_of() {
    EngineConfig config = SharedRig::config_of(2);
    config.window = 8192;
    return config;
  }
  static GenerationSpec long_answer(uint32_t key, size_t prompt) {
    GenerationSpec spec = asking(tokens(static_cast<Token>(key) * 5000, prompt), 2000);
    spec.key = key;
    return spec;
  }
  static GenerationSpec chat(uint32_t key) {
    GenerationSpec spec = asking(tokens(90000, 20), 4);
    spec.key = key;
    return spec;
  }
  void step_until_answered(uint64_t id) {
    for (int i = 0; i < 200 && told(id).answer.empty(); ++i) step();
  }
};

TEST(EngineKeys, AShortOneOvertakesLongWorkOfItsOwnKeyBesideLongerWorkOfAnother) {
  AtParity rig;
  rig.must_submit(kNewcomer, AtParity::chat(2));
  for (int i = 0; i < 2; ++i) rig.step();
  EXPECT_FALSE(rig.told(kNewcomer).answer.empty());
}

TEST(EngineKeys, WhoCannotHaveALaneHidesNobodyOfAnotherKeyWhoCan) {
  AtParity rig;
  rig.cancel(2);
  rig.must_submit(3, AtParity::chat(2));  // got too little to give way to one of its own
  rig.step();
  rig.must_submit(kNewcomer, AtParity::chat(2));
  rig.must_submit(kNewcomer + 1, AtParity::chat(1));
  rig.step();
  EXPECT_FALSE(rig.told(kNewcomer + 1).answer.empty());
  EXPECT_TRUE(rig.told(kNewcomer).answer.empty());
}

// Whoever got much gives way to each newcomer of its own key: that may not fill the room that another key needs.
TEST(EngineKeys, AQueueOfOneLeavesRoomInHostMemoryForAnother) {
  EngineConfig config = SharedRig::config_of(2);
  config.window = 4096;
  config.parked_tokens_max = 2 * 4096;
  Rig rig(config);
  for (Token id = 1; id <= 10; ++id) {
    GenerationSpec spec = asking(tokens(id * 5000, 3000), 400);
    spec.key = 1;
    rig.must_submit(static_cast<uint64_t>(id), spec);
  }
  for (int i = 0; i < 300; ++i) rig.step();
  EXPECT_GT(rig.engine.stats().parked_now, 0u);
  GenerationSpec newcomer = asking(tokens(90000, 20), 4);
  newcomer.key = 2;
  rig.must_submit(kNewcomer, newcomer);
  for (int i = 0; i < 2; ++i) rig.step();
  EXPECT_FALSE(rig.told(kNewcomer).answer.empty());
}

}  // namespace
}  // namespace sluice::engine
