// Newcomers that have no chance to begin in time are refused at once, and no others.
#include <gtest/gtest.h>

#include <random>

#include "engine/engine_rig.h"

namespace sluice::engine {
namespace {

using namespace std::chrono_literals;

// A row takes 1 ms, whatever it is of, while the machine is no faster.
struct SlowRig : Rig {
  explicit SlowRig(uint32_t lanes = 1, uint32_t interactive_lanes = 0) : Rig(config_of(lanes, interactive_lanes)) {
    runtime.call_time = [this](const PlannedCall& call, uint32_t) {
      Duration time{};
      for (const PlannedFeed& feed : call.feeds) time += row * feed.tokens.size();
      spent += time;
      now += time;
      return time;
    };
  }
  static EngineConfig config_of(uint32_t lanes, uint32_t interactive_lanes) {
    EngineConfig config = small_config();
    config.lanes = lanes;
    config.class_lanes[static_cast<size_t>(Class::interactive)] = interactive_lanes;
    config.window = 2048;
    config.vocabulary = 4000;
    return config;
  }
  void measure() {
    for (Token first = 1; first < 6; ++first) run(1000 + static_cast<uint64_t>(first), asking(tokens(first, 200), 1));
  }
  // So many of so many rows each; no two prompts begin alike.
  void fill(uint32_t count, size_t rows, const GenerationSpec& like = {}) {
    for (uint32_t i = 0; i < count; ++i) {
      GenerationSpec spec = like;
      spec.prompt = tokens(100 + static_cast<Token>(i), rows);
      spec.max_tokens = 1;
      must_submit(100 + i, std::move(spec));
    }
  }
  std::optional<Error> refusal_of(GenerationSpec spec) {
    spec.refuse_late = true;
    const auto result = submit(1, std::move(spec));
    return result ? std::nullopt : std::optional(result.error());
  }
  Duration row = 1ms;
  Duration spent{};  // in calls
};

GenerationSpec within(Duration time, size_t rows = 100) {
  GenerationSpec spec = asking(tokens(50, rows), 1);
  spec.time_left = time;
  return spec;
}

TEST(EngineTime, NothingIsRefusedBeforeSomethingWasMeasured) {
  SlowRig rig;
  rig.fill(10, 100);
  EXPECT_FALSE(rig.refusal_of(within(1ms)));
}

// A call of a few rows costs nearly as much as one of many.
struct DearCallsRig : SlowRig {
  DearCallsRig() {
    runtime.call_time = [this](const PlannedCall& call, uint32_t) {
      Duration time = 20ms;
      for (const PlannedFeed& feed : call.feeds) time += 50us * feed.tokens.size();
      spent += time;
      now += time;
      return time;
    };
    for (Token first = 1; first < 10; ++first) run(1000 + static_cast<uint64_t>(first), asking(tokens(first, 50), 1));
    fill(10, 500);
  }
};

TEST(EngineTime, WhereOnlySmallCallsWereMeasuredWhoWouldBeInTimeIsLetIn) {
  DearCallsRig rig, same;
  same.must_submit(1, within(1h, 500));
  const Duration before = same.spent;
  while (same.told(1).answer.empty()) same.step();
  ASSERT_LT(same.spent - before, 900ms);
  EXPECT_FALSE(rig.refusal_of(within(900ms, 500)));
}

TEST(EngineTime, APromptThatTakesLongerThanItsTimeIsOverAtOnce) {
  SlowRig rig;
  rig.measure();
  const auto refusal = rig.refusal_of(within(300ms, 800));
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->code, ErrorCode::timed_out);
  EXPECT_FALSE(rig.refusal_of(within(500ms, 800))) << "a machine twice as fast could";
}

TEST(EngineTime, BehindTooManyItIsTheQueueThatIsTooLong) {
  SlowRig rig;
  rig.measure();
  rig.fill(10, 100);
  const auto refusal = rig.refusal_of(within(200ms));
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->code, ErrorCode::queue_too_long);
  EXPECT_EQ(refusal->message, "it cannot begin in time, as 10 others go before it; try again in 1 s");
  EXPECT_EQ(refusal->retry_after, 1s);
  EXPECT_FALSE(rig.refusal_of(within(700ms)));
}

TEST(EngineTime, WhoHasReadItsPromptGoesBeforeNobody) {
  SlowRig rig(2);
  rig.measure();
  rig.must_submit(50, asking(tokens(3000, 100), 50));
  while (rig.told(50).answer.empty()) rig.step();
  rig.fill(10, 100);
  const auto refusal = rig.refusal_of(within(200ms));
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->message, "it cannot begin in time, as 10 others go before it; try again in 1 s");
}

TEST(EngineTime, RetryAfterIsWhatItIsLateBy) {
  SlowRig rig;
  rig.measure();
  rig.fill(99, 100);
  const auto refusal = rig.refusal_of(within(200ms));
  ASSERT_TRUE(refusal);
  EXPECT_GE(refusal->retry_after, 4s);  // 100 times 100 ms, halved
  EXPECT_LE(refusal->retry_after, 5s);
}

TEST(EngineTime, WhoDoesNotAskForItIsLetIn) {
  SlowRig rig;
  rig.measure();
  rig.fill(10, 100);
  EXPECT_TRUE(rig.submit(1, within(200ms)));
}

TEST(EngineTime, ABetterClassHasNobodyBeforeIt) {
  SlowRig rig;
  rig.measure();
  rig.fill(10, 100);
  GenerationSpec better = within(200ms);
  better.cls = Class::interactive;
  EXPECT_FALSE(rig.refusal_of(better));
}

TEST(EngineTime, WhoIsAheadForItsAgeAloneDoesNotCount) {
  SlowRig rig;
  rig.measure();
  GenerationSpec background;
  background.cls = Class::background;
  rig.fill(10, 100, background);
  rig.now += 60s;
  EXPECT_FALSE(rig.refusal_of(within(200ms)));
}

TEST(EngineTime, WhoseClassHasABoundOnItsLanesDoesNotCount) {
  GenerationSpec better;
  better.cls = Class::interactive;
  for (const uint32_t bound : {0, 1}) {
    SlowRig rig(2, bound);
    rig.measure();
    rig.fill(10, 100, better);
    EXPECT_EQ(rig.refusal_of(within(200ms)).has_value(), bound == 0);
  }
}

TEST(EngineTime, WhereItsKeyIsTheReasonItIsTheKeysQueue) {
  SlowRig rig;
  rig.measure();
  GenerationSpec of_key;
  of_key.key = 7;
  rig.fill(10, 100, of_key);
  GenerationSpec same = within(200ms), other = within(200ms);
  same.key = 7;
  other.key = 8;
  const auto refusal = rig.refusal_of(same);
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->code, ErrorCode::key_queue_too_long);
  EXPECT_EQ(refusal->message, "it cannot begin in time, as 10 of its key go before it; try again in 1 s");
  EXPECT_FALSE(rig.refusal_of(other)) << "the other key's ten are one turn";
}

TEST(EngineTime, WhatOthersHaveComputedIsNotComputedAgain) {
  SlowRig rig;
  rig.measure();
  GenerationSpec turn = within(200ms);
  for (uint64_t id = 100; id < 110; ++id) {
    GenerationSpec spec = turn;
    spec.prompt.push_back(static_cast<Token>(id));
    spec.time_left.reset();
    rig.must_submit(id, std::move(spec));
  }
  EXPECT_FALSE(rig.refusal_of(turn));
}

TEST(EngineTime, AWaitForALaneIsBoundedToo) {
  SlowRig rig;
  rig.measure();
  rig.fill(10, 100);
  const auto waiting = [](Duration lane) {
    GenerationSpec spec = asking(tokens(50, 100), 1);
    spec.lane_within = lane;
    return spec;
  };
  const auto refusal = rig.refusal_of(waiting(200ms));
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->code, ErrorCode::queue_too_long);
  EXPECT_FALSE(rig.refusal_of(waiting(700ms)));
}

TEST(EngineTime, WhatALaneWouldCostAfterAgeingIsNotForetold) {
  SlowRig rig;
  rig.measure();
  rig.fill(400, 100);
  GenerationSpec spec = asking(tokens(50, 100), 1);
  spec.lane_within = 9s;
  EXPECT_TRUE(rig.refusal_of(spec));
  spec.lane_within = 10s;
  EXPECT_FALSE(rig.refusal_of(spec)) << "by then it has aged";
}

TEST(EngineTime, ARefusedOneLeavesNoTrace) {
  SlowRig rig;
  rig.measure();
  rig.fill(10, 100);
  ASSERT_TRUE(rig.refusal_of(within(200ms)));
  EXPECT_EQ(rig.engine.stats().waiting, 10u);
  rig.run_until_idle();
  EXPECT_FALSE(rig.told(1).started_with);
  EXPECT_FALSE(rig.refusal_of(within(200ms)));
}

// It has 500 of its rows: with the next piece it is behind, and the newcomer reads all of its own.
TEST(EngineTime, WhoIsPutBehindSoonDoesNotCountForAsMuchAsTheNewcomerHas) {
  SlowRig rig;
  rig.measure();
  rig.fill(1, 2000);
  for (int i = 0; i < 2; ++i) rig.step();
  rig.row /= 2;
  const auto refusal = rig.refusal_of(within(800ms, 1000));
  ASSERT_FALSE(refusal);
  const Duration before = rig.spent;
  while (rig.told(1).answer.empty() && !rig.told(1).finished) rig.step();
  EXPECT_LT(rig.spent - before, 800ms);
  EXPECT_FALSE(rig.told(1).answer.empty());
}

// A house at random, then a newcomer with little time; the same house twice, once where it may not be refused, and
// where the machine is twice as fast from then on: no faster one is reckoned with.
class House {
 public:
  explicit House(uint32_t seed) : random_(seed), rig_(1 + below(4)) {
    rig_.measure();
    const uint32_t others = 1 + below(1 + below(24));
    const uint32_t rows = 100u << below(5), answer = 1 + below(1u << below(10));
    for (uint32_t i = 0; i < others; ++i) {
      rig_.must_submit(100 + i, any_spec(rows, answer));
      for (uint32_t steps = below(8); steps > 0; --steps) rig_.step();
    }
    newcomer_ = any_spec(rows, answer);
    limit_ = 10ms * (1 + below(1u << below(10)));
  }
  Duration limit() const { return limit_; }
  bool is_refused_for(std::optional<Duration> GenerationSpec::* time) {
    GenerationSpec spec = newcomer_;
    spec.*time = limit_;
    const auto refusal = rig_.refusal_of(spec);
    return refusal && refusal->code != ErrorCode::timed_out;
  }
  Duration time_to_lane() {
    const Duration before = begin_faster();
    Duration waited{};
    while (!rig_.engine.idle() && !rig_.told(1).started_with) {
      waited = rig_.spent - before;  // it begins with the step that tells of it
      rig_.step();
    }
    return waited;
  }
  Duration time_to_first_token() {
    const Duration before = begin_faster();
    while (!rig_.engine.idle() && rig_.told(1).answer.empty()) rig_.step();
    return rig_.spent - before;
  }

 private:
  uint32_t below(uint32_t n) { return random_() % n; }
  GenerationSpec any_spec(uint32_t rows, uint32_t answer) {
    GenerationSpec spec = asking(tokens(1 + static_cast<Token>(below(300)), 20 + below(rows)), 1 + below(answer));
    spec.cls = below(4) == 0 ? Class::interactive : Class::agent;
    spec.key = below(3) == 0 ? 1 + below(2) : 0;
    spec.session = below(3) == 0 ? 1 + below(3) : 0;
    return spec;
  }
  Duration begin_faster() {
    rig_.row /= 2;
    rig_.must_submit(1, newcomer_);
    return rig_.spent;
  }
  std::mt19937 random_;
  SlowRig rig_;
  GenerationSpec newcomer_;
  Duration limit_{};
};

TEST(EngineTime, WhoIsRefusedForItsFirstTokenWouldHaveBeenLate) {
  int refused = 0;
  for (uint32_t seed = 1; seed <= 4000; ++seed) {
    if (!House(seed).is_refused_for(&GenerationSpec::time_left)) continue;
    ++refused;
    House again(seed);
    EXPECT_GT(again.time_to_first_token(), again.limit()) << "seed " << seed;
  }
  EXPECT_GT(refused, 20);
}

TEST(EngineTime, WhoIsRefusedForALaneWouldHaveWaitedLonger) {
  int refused = 0;
  for (uint32_t seed = 1; seed <= 4000; ++seed) {
    if (!House(seed).is_refused_for(&GenerationSpec::lane_within)) continue;
    ++refused;
    House again(seed);
    EXPECT_GE(again.time_to_lane(), again.limit()) << "seed " << seed;
  }
  EXPECT_GT(refused, 20);
}

}  // namespace
}  // namespace sluice::engine
