// Running ids are kept adjacent, by a copy where it pays.
#include <gtest/gtest.h>

#include "engine/engine_rig.h"

namespace sluice::engine {
namespace {

using namespace std::chrono_literals;

// 4 ms a pass, 0.1 ms a row.
Duration by_passes(const PlannedCall& call, uint32_t passes) {
  return passes * 4ms + 100us * static_cast<int>(call.feeds.size());
}

// Generations 1 .. lanes run on sequences 0 .. lanes-1; `answer` tokens each.
struct Crowd : Rig {
  explicit Crowd(const EngineConfig& c, uint32_t answer = 200) : Rig(c) {
    runtime.call_time = by_passes;
    for (uint64_t id = 1; id <= c.lanes; ++id) must_submit(id, asking(tokens(static_cast<Token>(id) * 50, 10), answer));
    for (int i = 0; i < 4; ++i) step();
  }
};

EngineConfig lanes(uint32_t n) {
  EngineConfig config = small_config();
  config.lanes = n;
  return config;
}

std::optional<CopyKv> copy_of(const StepSeen& s) {
  std::optional<CopyKv> found;
  for (const KvMove& move : s.moves) {
    if (const auto* copy = std::get_if<CopyKv>(&move)) {
      EXPECT_FALSE(found) << "two copies in one step";
      found = *copy;
    }
  }
  return found;
}

TEST(EngineAdjacency, TheOutermostRunnerMovesIntoTheHole) {
  Crowd rig(lanes(4));
  rig.cancel(2);  // sequences 0, 2, 3 are left
  rig.cancel(3);  // 0 and 3
  const StepSeen s = rig.step();
  const auto copy = copy_of(s);
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->from, SequenceId{3});
  EXPECT_EQ(copy->to, SequenceId{1});
  ASSERT_EQ(s.moves.size(), 2u);
  EXPECT_EQ(std::get<DropKv>(s.moves[1]).seq, SequenceId{3});
  ASSERT_EQ(s.calls.size(), 1u);
  EXPECT_EQ(s.calls[0].feeds[1].seq, 1);
  EXPECT_GT(s.predicted, s.calls[0].predicted);  // the copy takes time, too
  EXPECT_FALSE(copy_of(rig.step()));
  rig.run_until_idle();
  EXPECT_EQ(rig.told(4).answer, ToyRuntime::answer_alone(rig.config, asking(tokens(200, 10), 200), false));
}

TEST(EngineAdjacency, ARunOfTwoFollowsOneCopyAStep) {
  Crowd rig(lanes(6));
  rig.cancel(3);
  rig.cancel(4);  // 0 1, 4 5
  EXPECT_TRUE(copy_of(rig.step()));
  EXPECT_TRUE(copy_of(rig.step()));
  const StepSeen s = rig.step();
  EXPECT_FALSE(copy_of(s));
  EXPECT_EQ(s.calls[0].feeds.back().seq - s.calls[0].feeds.front().seq, 3);
}

TEST(EngineAdjacency, AnEmptyHoleIsPreferredToACachedOne) {
  EngineConfig config = lanes(5);
  Rig rig(config);
  rig.runtime.call_time = by_passes;
  int fail_next = 0;
  rig.runtime.call_mishap = [&](const PlannedCall& call) -> std::optional<Mishap> {
    if (fail_next == 0 || call.kind != CallKind::prefill) return std::nullopt;
    --fail_next;
    return Mishap{ErrorCode::fault, 0};
  };
  for (uint64_t id = 1; id <= 5; ++id) rig.must_submit(id, asking(tokens(static_cast<Token>(id) * 50, 10), 200));
  for (int i = 0; i < 4; ++i) rig.step();
  rig.cancel(1);  // 1 and 3 are left beside the holes 0, 2, 4; only 4 will be empty
  rig.cancel(3);
  rig.cancel(5);
  fail_next = 1;
  rig.must_submit(6, asking(tokens(250, 10), 1));  // continues sequence 4, and loses it
  rig.step();
  ASSERT_TRUE(rig.told(6).failed);
  const auto copy = copy_of(rig.step());
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->from, SequenceId{1});
  EXPECT_EQ(copy->to, SequenceId{4});
}

TEST(EngineAdjacency, NoCopyIsMadeForAnAnswerThatIsNearlyDone) {
  Crowd rig(lanes(3), 6);  // 5 of 6 tokens are out
  rig.cancel(2);
  EXPECT_FALSE(copy_of(rig.step()));
}

// The answer may have 5000 tokens, and 20 s of extra passes; only the first 256 count.
TEST(EngineAdjacency, NoCopyIsMadeThatCostsMoreThanHalfOfItsGain) {
  EngineConfig config = lanes(3);
  config.window = 8192;
  Crowd rig(config, 5000);
  rig.runtime.copy_time = 5s;
  rig.cancel(2);
  EXPECT_TRUE(copy_of(rig.step()));  // what it costs is a guess until one was made
  rig.must_submit(9, asking(tokens(700, 10), 5000));
  rig.step();
  rig.step();
  const auto running = rig.step().calls[0].feeds;
  ASSERT_EQ(running.size(), 3u);
  rig.cancel(running[1].generation);
  EXPECT_FALSE(copy_of(rig.step()));
}

TEST(EngineAdjacency, NoCopyIsMadeWhereItIsNotPossibleOrNotNeeded) {
  for (const bool can_copy : {true, false}) {
    EngineConfig config = lanes(3);
    config.can_copy = can_copy;
    config.adjacent_ids_per_pass = !can_copy;
    Crowd rig(config);
    rig.cancel(2);
    EXPECT_FALSE(copy_of(rig.step()));
  }
}

TEST(EngineAdjacency, ACopyThatFailsLeavesItsGenerationWhereItWasAndIsNotTriedAgain) {
  Crowd rig(lanes(3));
  rig.runtime.move_mishap = [](const KvMove& move) -> std::optional<Mishap> {
    if (std::holds_alternative<CopyKv>(move)) return Mishap{ErrorCode::unsupported, 0};
    return std::nullopt;
  };
  rig.cancel(2);
  EXPECT_TRUE(copy_of(rig.step()));
  const StepSeen s = rig.step();
  EXPECT_FALSE(copy_of(s));
  ASSERT_EQ(s.calls.size(), 1u);
  EXPECT_EQ(s.calls[0].feeds.size(), 2u);  // nothing is computed again
  rig.run_until_idle();
  for (const uint64_t id : {1, 3}) {
    EXPECT_EQ(rig.told(id).answer,
              ToyRuntime::answer_alone(rig.config, asking(tokens(static_cast<Token>(id) * 50, 10), 200), false));
  }
}

TEST(EngineAdjacency, ACopyThatLosesItsSourceFailsItsGenerationAlone) {
  Crowd rig(lanes(3));
  rig.runtime.move_mishap = [](const KvMove& move) -> std::optional<Mishap> {
    if (std::holds_alternative<CopyKv>(move)) return Mishap{ErrorCode::fault, 0};
    return std::nullopt;
  };
  rig.cancel(2);
  rig.step();
  EXPECT_NE(rig.told(1).failed.has_value(), rig.told(3).failed.has_value());
  rig.runtime.move_mishap = nullptr;
  rig.run_until_idle();
}

}  // namespace
}  // namespace sluice::engine
