// What fails, and who lives on, when the runtime could not do what was planned.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "engine/engine_rig.h"

namespace sluice::engine {
namespace {

// The n-th call (from 1) comes to `mishap`.
auto nth_call(int n, Mishap mishap) {
  return [n, mishap, calls = 0](const PlannedCall&) mutable -> std::optional<Mishap> {
    if (++calls != n) return std::nullopt;
    return mishap;
  };
}

void expect_alone(Rig& rig, uint64_t id, const GenerationSpec& spec) {
  EXPECT_EQ(rig.told(id).answer, ToyRuntime::answer_alone(rig.config, spec, false)) << "generation " << id;
  EXPECT_TRUE(rig.told(id).finished);
}

TEST(EngineError, AFaultFailsTheGenerationsOfItsCallAndNoOthers) {
  Rig rig;
  const GenerationSpec first = asking(tokens(1, 10), 20);
  rig.must_submit(1, first);
  rig.step();
  rig.must_submit(2, asking(tokens(300, 10), 20));
  rig.runtime.call_mishap = [](const PlannedCall& call) -> std::optional<Mishap> {
    if (call.kind == CallKind::prefill) return Mishap{ErrorCode::fault, 0};
    return std::nullopt;
  };
  rig.step();
  ASSERT_TRUE(rig.told(2).failed);
  EXPECT_EQ(rig.told(2).failed->code, ErrorCode::fault);
  rig.runtime.call_mishap = nullptr;
  rig.run_until_idle();
  expect_alone(rig, 1, first);
}

TEST(EngineError, ALostSequenceIsDroppedBeforeItIsUsedAgain) {
  EngineConfig config = small_config();
  config.lanes = 1;
  Rig rig(config);
  rig.runtime.call_mishap = nth_call(3, {ErrorCode::fault, 0});
  rig.run(1, asking(tokens(1, 10), 20));
  ASSERT_TRUE(rig.told(1).failed);
  EXPECT_EQ(rig.step().step, 0u);  // not for its own sake
  rig.must_submit(2, asking(tokens(1, 10), 20));
  const StepSeen s = rig.step();
  ASSERT_EQ(s.moves.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<DropKv>(s.moves[0]));
  EXPECT_EQ(rig.told(2).started_with, 0u);
  rig.run_until_idle();
  expect_alone(rig, 2, asking(tokens(1, 10), 20));
}

TEST(EngineError, ARowWithoutAPossibleTokenFailsItsGenerationAndNoOthers) {
  Rig rig;
  const GenerationSpec first = asking(tokens(1, 10), 20), third = asking(tokens(600, 10), 20);
  rig.must_submit(1, first);
  rig.must_submit(2, asking(tokens(300, 10), 20));
  rig.must_submit(3, third);
  rig.runtime.without_token = [](const PlannedFeed& feed) {
    return feed.generation == GenerationId{2} && feed.first >= 15;
  };
  rig.run_until_idle();
  ASSERT_TRUE(rig.told(2).failed);
  EXPECT_EQ(rig.told(2).failed->code, ErrorCode::fault);
  EXPECT_EQ(rig.told(2).answer.size(), 6u);
  expect_alone(rig, 1, first);
  expect_alone(rig, 3, third);
}

TEST(EngineError, WhatARowWithoutAPossibleTokenLeavesIsNotTakenOver) {
  Rig rig;
  rig.runtime.without_token = [](const PlannedFeed& feed) { return feed.first >= 15; };
  rig.run(1, asking(tokens(1, 10), 20));
  ASSERT_TRUE(rig.told(1).failed);
  rig.runtime.without_token = nullptr;
  rig.run(2, asking(tokens(1, 10), 20));
  EXPECT_EQ(rig.told(2).started_with, 0u);
  expect_alone(rig, 2, asking(tokens(1, 10), 20));
}

TEST(EngineError, AnAbortedRowWithoutAPossibleTokenIsDrawnAgain) {
  Rig rig;
  bool is_spoilt = true;
  rig.runtime.call_mishap = nth_call(4, {ErrorCode::cancelled, 0, true});
  rig.runtime.without_token = [&](const PlannedFeed& feed) {
    return feed.first == 22 && std::exchange(is_spoilt, false);
  };
  const GenerationSpec spec = asking(tokens(1, 20), 8);
  rig.run(1, spec);
  EXPECT_FALSE(is_spoilt);
  expect_alone(rig, 1, spec);
}

TEST(EngineError, ARefusedCallFailsItsGenerationsAndBlamesNoRequest) {
  Rig rig;
  rig.runtime.call_mishap = nth_call(2, {ErrorCode::invalid, 0});
  rig.run(1, asking(tokens(1, 10), 20));
  ASSERT_TRUE(rig.told(1).failed);
  EXPECT_EQ(rig.told(1).failed->code, ErrorCode::internal);
}

TEST(EngineError, WithoutRoomACachedSequenceGoesAndNobodyFails) {
  Rig rig;
  rig.run(1, asking(tokens(300, 10), 2));
  const GenerationSpec spec = asking(tokens(1, 10), 20);
  rig.runtime.call_mishap = nth_call(2, {ErrorCode::capacity, 0});
  rig.must_submit(2, spec);
  rig.step();
  rig.step();
  const StepSeen s = rig.step();
  ASSERT_EQ(s.moves.size(), 1u);
  EXPECT_EQ(std::get<DropKv>(s.moves[0]).seq, SequenceId{0});
  rig.run_until_idle();
  expect_alone(rig, 2, spec);
}

TEST(EngineError, WithNothingCachedTheYoungestFailsAndTheOthersGoOn) {
  Rig rig;
  const GenerationSpec spec = asking(tokens(1, 10), 20);
  rig.must_submit(1, spec);
  rig.step();
  rig.must_submit(2, asking(tokens(300, 10), 20));
  rig.step();
  rig.runtime.call_mishap = nth_call(1, {ErrorCode::capacity, 0});
  rig.step();
  ASSERT_TRUE(rig.told(2).failed);
  EXPECT_EQ(rig.told(2).failed->code, ErrorCode::capacity);
  const StepSeen s = rig.step();
  ASSERT_EQ(s.moves.size(), 1u);
  EXPECT_EQ(std::get<DropKv>(s.moves[0]).seq, SequenceId{1});  // which makes the room
  rig.run_until_idle();
  expect_alone(rig, 1, spec);
}

TEST(EngineError, ARuntimeThatNeverHasRoomFailsEverybodyInTheEnd) {
  Rig rig;
  rig.runtime.call_mishap = [](const PlannedCall&) { return Mishap{ErrorCode::capacity, 0}; };
  for (uint64_t id = 1; id <= 6; ++id) rig.must_submit(id, asking(tokens(static_cast<Token>(id), 10), 20));
  rig.run_until_idle(100);
  for (uint64_t id = 1; id <= 6; ++id) EXPECT_TRUE(rig.told(id).failed) << id;
}

TEST(EngineError, AFatalErrorFailsEverybodyRunningAndWaiting) {
  Rig rig;
  for (uint64_t id = 1; id <= 6; ++id) rig.must_submit(id, asking(tokens(static_cast<Token>(id) * 50, 10), 20));
  rig.step();
  rig.runtime.call_mishap = nth_call(1, {ErrorCode::fatal, 0});
  rig.step();
  EXPECT_TRUE(rig.engine.idle());
  for (uint64_t id = 1; id <= 6; ++id) {
    ASSERT_TRUE(rig.told(id).failed) << id;
    EXPECT_EQ(rig.told(id).failed->code, ErrorCode::fatal);
  }
}

TEST(EngineError, AFatalMoveFailsEverybodyToo) {
  Rig rig;
  rig.run(1, asking(tokens(1, 20), 1));
  rig.must_submit(2, asking(tokens(300, 10), 20));
  rig.step();
  rig.must_submit(3, asking(tokens(1, 20), 5));
  rig.runtime.move_mishap = [](const KvMove&) { return Mishap{ErrorCode::fatal, 0}; };
  rig.step();
  EXPECT_TRUE(rig.told(2).failed);
  EXPECT_TRUE(rig.told(3).failed);
  EXPECT_TRUE(rig.engine.idle());
}

TEST(EngineError, TokensOfCallsBeforeAFatalOneAreTold) {
  Rig rig;
  rig.must_submit(1, asking(tokens(1, 10), 20));
  rig.step();
  rig.must_submit(2, asking(tokens(300, 10), 20));
  rig.runtime.call_mishap = nth_call(2, {ErrorCode::fatal, 0});  // the prefill beside the decode
  rig.step();
  EXPECT_EQ(rig.told(1).answer.size(), 2u);
  EXPECT_TRUE(rig.told(1).failed);
  EXPECT_TRUE(rig.told(2).failed);
}

TEST(EngineError, AnAbortedPrefillGoesOnFromWhatWasComputed) {
  for (const Position done : {-1, 0, 5, 18, 19, 20}) {
    Rig rig;
    const GenerationSpec spec = asking(tokens(1, 20), 5);
    rig.runtime.call_mishap = nth_call(1, {ErrorCode::cancelled, done});
    rig.must_submit(1, spec);
    rig.step();
    EXPECT_TRUE(rig.told(1).answer.empty());
    for (const size_t rows : rig.step().prefill_rows())
      EXPECT_EQ(rows, static_cast<size_t>(20 - std::clamp(done, 0, 18)));
    rig.run_until_idle();
    expect_alone(rig, 1, spec);
  }
}

TEST(EngineError, AnAbortedDecodeDrawsTheSameToken) {
  for (const Position done : {-1, 0, 1}) {
    for (const bool drawn : {false, true}) {
      Rig rig;
      rig.runtime.call_mishap = nth_call(4, {ErrorCode::cancelled, done, drawn});
      const GenerationSpec spec = asking(tokens(1, 20), 8);
      rig.run(1, spec);
      expect_alone(rig, 1, spec);
    }
  }
}

TEST(EngineError, AnAbortedCallsTimeTeachesNothing) {
  Rig rig;
  rig.runtime.call_time = [](const PlannedCall&, uint32_t) { return std::chrono::milliseconds(5); };
  rig.must_submit(1, asking(tokens(1, 20), 100));
  for (int i = 0; i < 10; ++i) rig.step();
  rig.runtime.call_mishap = nth_call(1, {ErrorCode::cancelled, 0});
  const Duration before = rig.step().predicted;
  EXPECT_NEAR(to_ms(rig.step().predicted), to_ms(before), 0.1);
}

TEST(EngineError, AFailedMoveFailsTheGenerationItWasFor) {
  Rig rig;
  const GenerationSpec busy = asking(tokens(300, 10), 20);
  rig.run(1, asking(tokens(1, 20), 1));
  rig.must_submit(2, busy);
  rig.step();
  rig.runtime.move_mishap = [](const KvMove&) { return Mishap{ErrorCode::unsupported, 0}; };
  rig.must_submit(3, asking(tokens(1, 20), 5));
  rig.step();
  ASSERT_TRUE(rig.told(3).failed);
  EXPECT_EQ(rig.told(3).failed->code, ErrorCode::unsupported);
  rig.runtime.move_mishap = nullptr;
  rig.run_until_idle();
  expect_alone(rig, 2, busy);
}

TEST(EngineError, WhatCameAfterAFailedMoveIsPlannedAgain) {
  Rig rig;
  rig.run(1, asking(tokens(1, 20), 1));
  rig.must_submit(90, asking(tokens(1, 30), 1));  // keeps sequence 0 while 2 runs on sequence 1
  rig.must_submit(2, asking(tokens(300, 20), 1));
  rig.run_until_idle();
  bool failed = false;
  rig.runtime.move_mishap = [&](const KvMove&) -> std::optional<Mishap> {
    if (std::exchange(failed, true)) return std::nullopt;
    return Mishap{ErrorCode::fault, 0};
  };
  const GenerationSpec spec = asking(tokens(300, 20), 5);
  rig.must_submit(3, asking(tokens(1, 20), 5));
  rig.must_submit(4, spec);
  rig.run_until_idle();
  EXPECT_TRUE(rig.told(3).failed);
  expect_alone(rig, 4, spec);
  EXPECT_EQ(rig.told(4).finished->usage.cached_tokens, 0u);
}

}  // namespace
}  // namespace sluice::engine
