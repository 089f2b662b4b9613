// Who has a lane: newcomers that got little take one from those that got much, who lose nothing by it.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/engine_rig.h"

namespace sluice::engine {
namespace {

using namespace std::chrono_literals;

EngineConfig config_with(uint32_t lanes) {
  EngineConfig config = small_config();
  config.lanes = lanes;
  config.window = 16384;
  config.vocabulary = 100000;
  return config;
}

// 2 ms a row of prefill, 5 ms a pass of decode; moving costs 2 ms.
Duration worked_time(const PlannedCall& call, uint32_t passes) {
  return call.kind == CallKind::prefill ? 2ms * static_cast<int>(call.feeds.front().tokens.size()) : 5ms * passes;
}

// Every lane is held by a long answer to a long prompt, in the middle of its prompt or of its answer.
struct Busy : Rig {
  explicit Busy(const EngineConfig& c, int steps = 12) : Rig(c) {
    runtime.call_time = worked_time;
    runtime.copy_time = 2ms;
    for (uint64_t id = 1; id <= c.lanes; ++id) must_submit(id, agent(id));
    for (int i = 0; i < steps; ++i) step();
  }
  static GenerationSpec agent(uint64_t id) { return asking(tokens(static_cast<Token>(id) * 5000, 3000), 400); }
  // Steps until it has a token.
  int steps_to_first_token(uint64_t id) {
    int steps = 0;
    while (told(id).answer.empty() && steps < 1000) step(), ++steps;
    return steps;
  }
  void expect_all_as_alone(uint64_t agents) {
    for (uint64_t id = 1; id <= agents; ++id) {
      EXPECT_EQ(told(id).answer, ToyRuntime::answer_alone(config, agent(id), false)) << "agent " << id;
    }
  }
};

GenerationSpec chat(Class cls = Class::agent) {
  GenerationSpec spec = asking(tokens(90000, 20), 4);
  spec.cls = cls;
  return spec;
}

TEST(EngineLanes, AShortNewcomerOvertakesLongWorkWithoutAClass) {
  Busy rig(config_with(2), 40);
  rig.must_submit(9, chat());
  EXPECT_EQ(rig.steps_to_first_token(9), 1);
  EXPECT_EQ(rig.engine.stats().preemptions, 1u);
}

TEST(EngineLanes, WhoGaveWayLosesNothingAndComputesNothingAgain) {
  Busy rig(config_with(2), 40);
  rig.must_submit(9, chat());
  rig.run_until_idle();
  rig.expect_all_as_alone(2);
  EXPECT_GT(rig.engine.stats().tokens_parked, 0u);
  EXPECT_EQ(rig.engine.stats().tokens_again, 0u);
  // Every row but that of the last token of each answer, once.
  EXPECT_EQ(rig.runtime.rows_fed(), 2 * (3000 + 400 - 1) + 20 + 4 - 1);
  EXPECT_EQ(rig.runtime.parked(), 0u);
}

TEST(EngineLanes, WithoutAWayToKeepItsKvNobodyGivesWay) {
  EngineConfig config = config_with(2);
  config.can_export = false;
  Busy rig(config, 40);
  rig.must_submit(9, chat(Class::interactive));
  rig.step();
  EXPECT_EQ(rig.engine.stats().preemptions, 0u);
  rig.run_until_idle();
  EXPECT_TRUE(rig.told(9).finished);
}

TEST(EngineLanes, HostMemoryIsBounded) {
  EngineConfig config = config_with(2);
  config.parked_tokens_max = 100;
  Busy rig(config, 40);
  rig.must_submit(9, chat());
  rig.step();
  EXPECT_EQ(rig.engine.stats().preemptions, 0u);
}

TEST(EngineLanes, AMoveThatCostsMoreThanATenthOfItsWorthIsNotMade) {
  Busy rig(config_with(2), 40);
  rig.runtime.copy_time = 30s;
  rig.must_submit(8, chat());  // teaches what moving costs
  rig.run_until_idle();
  const uint64_t before = rig.engine.stats().preemptions;
  for (uint64_t id = 11; id <= 12; ++id) rig.must_submit(id, Busy::agent(id));
  for (int i = 0; i < 40; ++i) rig.step();
  rig.must_submit(9, chat());
  rig.step();
  EXPECT_EQ(rig.engine.stats().preemptions, before);
}

TEST(EngineLanes, TheLaneOfTheWorstClassIsTaken) {
  Rig rig(config_with(2));
  rig.runtime.call_time = worked_time;
  GenerationSpec batch = Busy::agent(1), agent = Busy::agent(2);
  batch.cls = Class::background;
  rig.must_submit(1, batch);
  rig.must_submit(2, agent);
  for (int i = 0; i < 40; ++i) rig.step();
  rig.must_submit(9, chat());
  const StepSeen s = rig.step();
  const auto exported = std::ranges::find_if(s.moves, [](const KvMove& m) { return std::get_if<ExportKv>(&m); });
  ASSERT_NE(exported, s.moves.end());
  EXPECT_EQ(std::get<ExportKv>(*exported).generation, GenerationId{1});
}

TEST(EngineLanes, AClassHoldsNoMoreLanesThanItMay) {
  EngineConfig config = config_with(4);
  config.class_lanes[static_cast<size_t>(Class::background)] = 1;
  Rig rig(config);
  for (uint64_t id = 1; id <= 3; ++id) {
    GenerationSpec spec = Busy::agent(id);
    spec.cls = Class::background;
    rig.must_submit(id, spec);
  }
  rig.step();
  EXPECT_EQ(rig.engine.stats().lanes_busy, 1u);
  rig.must_submit(9, chat());
  rig.step();
  EXPECT_EQ(rig.engine.stats().lanes_busy, 2u);
}

TEST(EngineLanes, APausedGenerationIsBackBeforeLongWhoeverComes) {
  Busy rig(config_with(1), 60);
  ASSERT_FALSE(rig.told(1).answer.empty());
  TimePoint last = rig.now;
  for (uint64_t id = 100; id < 400; ++id) {  // more chats than there is time for
    rig.must_submit(id, chat());
    const size_t before = rig.told(1).answer.size();
    for (int i = 0; i < 3; ++i) {
      rig.step();
      rig.now += 20ms;
    }
    if (rig.told(1).answer.size() > before) last = rig.now;
    EXPECT_LT(rig.now - last, 5s);
  }
  EXPECT_FALSE(rig.told(1).finished);
}

TEST(EngineLanes, TwoKeysWithWorkGetTheSame) {
  Rig rig(config_with(4));
  rig.runtime.call_time = worked_time;
  uint64_t id = 0;
  const auto submit = [&](uint32_t key) {
    GenerationSpec spec = asking(tokens(static_cast<Token>(++id) * 50, 40), 60);
    spec.key = key;
    rig.must_submit(id, spec);
  };
  for (int i = 0; i < 50; ++i) submit(1);
  for (int i = 0; i < 10; ++i) rig.step();
  const auto said = [&rig](uint64_t from, uint64_t to) {
    size_t tokens = 0;
    for (uint64_t g = from; g <= to; ++g) tokens += rig.told(g).answer.size();
    return static_cast<double>(tokens);
  };
  const double before = said(1, 50);
  for (int i = 0; i < 50; ++i) submit(2);
  for (int i = 0; i < 600; ++i) rig.step();
  const double first = said(1, 50) - before, second = said(51, 100);
  EXPECT_NEAR(second / (first + second), 0.5, 0.05);
}

TEST(EngineLanes, ADeadlineEndsAGenerationWhereverItIs) {
  Busy rig(config_with(1), 40);
  GenerationSpec late = Busy::agent(7);
  late.cls = Class::background;
  late.time_left = 50ms;
  rig.must_submit(7, late);
  rig.now += 60ms;
  rig.step();
  ASSERT_TRUE(rig.told(7).finished);
  EXPECT_EQ(rig.told(7).finished->reason, FinishReason::deadline);
  EXPECT_FALSE(rig.told(7).started_with);
  rig.run_until_idle();
  rig.expect_all_as_alone(1);
}

TEST(EngineLanes, AFinishedPromptIsNotHeldUpByThePiecesOfOthers) {
  Busy rig(config_with(4), 12);
  rig.cancel(4);
  rig.must_submit(9, chat());
  const StepSeen s = rig.step();
  ASSERT_EQ(s.of(CallKind::prefill).size(), 1u);
  EXPECT_EQ(s.of(CallKind::prefill)[0].feeds[0].generation, 9u);
}

TEST(EngineLanes, AStepIsShorterWhileAClassWithAPaceDecodes) {
  EngineConfig config = config_with(2);
  config.pace[static_cast<size_t>(Class::interactive)] = 100ms;
  Rig rig(config);
  rig.runtime.call_time = worked_time;
  GenerationSpec stream = asking(tokens(90000, 20), 400);
  stream.cls = Class::interactive;
  rig.must_submit(1, stream);
  rig.must_submit(2, Busy::agent(2));
  for (int i = 0; i < 10; ++i) rig.step();
  const StepSeen s = rig.step();
  EXPECT_GT(s.prefill_rows().at(0), 10u);
  EXPECT_LE(s.predicted, 105ms);
}

TEST(EngineLanes, WhoDecodesWithoutAPaceWaitsNoLongerThanAChunkTakes) {
  EngineConfig config = config_with(2);
  config.chunk_time = 100ms;
  config.pace = {};
  Rig rig(config);
  rig.runtime.call_time = [](const PlannedCall& call, uint32_t) {
    return call.kind == CallKind::prefill ? 2ms * static_cast<int>(call.feeds.front().tokens.size()) : Duration(40ms);
  };
  rig.must_submit(1, asking(tokens(90000, 20), 400));
  rig.must_submit(2, Busy::agent(2));
  for (int i = 0; i < 10; ++i) rig.step();
  const StepSeen s = rig.step();
  ASSERT_EQ(s.of(CallKind::decode).size(), 1u);
  EXPECT_GT(s.prefill_rows().at(0), 10u);
  EXPECT_LE(s.predicted, 105ms);
}

// It would not get a row in this step either.
TEST(EngineLanes, AHolderWhosePromptWaitsForItsTurnGivesWayFirst) {
  Busy rig(config_with(3), 11);
  const uint64_t read = rig.step().of(CallKind::prefill).at(0).feeds.at(0).generation;
  std::vector<uint32_t> computed;
  for (const Standing& one : rig.engine.standings(rig.now)) {
    if (one.generation.raw != read) computed.push_back(one.computed);
  }
  ASSERT_LT(std::ranges::min(computed), std::ranges::max(computed));
  rig.must_submit(9, chat());
  const StepSeen s = rig.step();
  EXPECT_FALSE(rig.told(9).answer.empty());
  const auto exported =
      std::ranges::find_if(s.moves, [](const KvMove& m) { return std::holds_alternative<ExportKv>(m); });
  ASSERT_NE(exported, s.moves.end());
  EXPECT_EQ(static_cast<uint32_t>(std::get<ExportKv>(*exported).upto), std::ranges::min(computed));
}

// Somebody reads a short prompt, in several steps, while an agent of another key has waited for long.
struct Beginning : Rig {
  explicit Beginning(EngineConfig c) : Rig(in_small_chunks(c)) { runtime.call_time = worked_time; }
  static EngineConfig in_small_chunks(EngineConfig c) {
    c.chunk_time = 60ms;
    return c;
  }
  std::vector<uint64_t> read_until_answered() {
    for (const uint32_t key : {1, 2}) {
      GenerationSpec agent = Busy::agent(key);
      agent.key = key;
      must_submit(key, agent);
    }
    step();
    GenerationSpec newcomer = asking(tokens(90000, 200), 4);  // its key has not got so much more that it is behind
    newcomer.key = 9;
    must_submit(9, newcomer);
    step();
    now += 40s;
    std::vector<uint64_t> read;
    while (told(9).answer.empty() && read.size() < 20) {
      for (const CallSeen& call : step().of(CallKind::prefill)) read.push_back(call.feeds.at(0).generation);
    }
    return read;
  }
};

void expect_only(uint64_t generation, const std::vector<uint64_t>& read) {
  EXPECT_GT(read.size(), 1u);
  EXPECT_EQ(std::ranges::count(read, generation), std::ssize(read)) << testing::PrintToString(read);
}

// Else it would wait as long as the other, for a few rows of a long prompt.
TEST(EngineLanes, WhoReadsAShortPromptKeepsItsLaneWhereAnotherHasWaitedForLong) {
  Beginning rig(config_with(1));
  expect_only(9, rig.read_until_answered());
}

// Whoever is of that class cannot have the lane: it is no reason to give it to somebody else.
TEST(EngineLanes, WhoReadsAShortPromptKeepsItsLaneWhereABetterClassMayHaveNoMore) {
  EngineConfig config = config_with(2);
  config.class_lanes[static_cast<size_t>(Class::interactive)] = 1;
  Beginning rig(config);
  GenerationSpec interactive = asking(tokens(80000, 20), 200);
  interactive.cls = Class::interactive;
  for (const uint64_t id : {11, 12}) rig.must_submit(id, interactive);
  expect_only(9, rig.read_until_answered());
}

}  // namespace
}  // namespace sluice::engine
