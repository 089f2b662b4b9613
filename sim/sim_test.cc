// The simulator itself: a seed replays, and each check finds what it is for.
#include <gtest/gtest.h>

#include <sstream>

#include "sim/simulation.h"

namespace sluice::sim {
namespace {

using namespace std::chrono_literals;

std::string trace_of(uint64_t seed) {
  std::ostringstream out;
  const Scenario scenario = scenario_of(seed);
  Simulation simulation(scenario, &out);
  EXPECT_FALSE(simulation.run(100'000)) << "seed " << seed;
  return description_of(scenario) + out.str();
}

TEST(Simulation, ASeedReplaysBitForBit) {
  for (uint64_t seed = 1; seed <= 30; ++seed) EXPECT_EQ(trace_of(seed), trace_of(seed)) << "seed " << seed;
}

TEST(Simulation, EachSeedIsAnotherRun) { EXPECT_NE(trace_of(1), trace_of(2)); }

struct KvModelTest : ::testing::Test {
  KvModelTest() {
    config.lanes = 2;
    config.window = 16;
    config.call_tokens = 8;
  }
  engine::PlannedCall call(int32_t seq, Position first, std::vector<Token>& tokens) {
    return {engine::CallKind::prefill, {{GenerationId{1}, {seq}, first, tokens, false}}, {}};
  }
  engine::EngineConfig config;
  Verdict verdict;
  KvModel kv{config, true, verdict};
  std::vector<Token> three = {1, 2, 3};
};

TEST_F(KvModelTest, AFeedThatContinuesItsSequenceIsRight) {
  kv.compute(call(0, 0, three).feeds[0], 3);
  kv.check(call(0, 3, three));
  EXPECT_TRUE(verdict.ok());
  EXPECT_EQ(kv.computed({0}), 3);
}

TEST_F(KvModelTest, AFeedThatLeavesAGapIsFound) {
  kv.check(call(0, 1, three));
  EXPECT_FALSE(verdict.ok());
}

TEST_F(KvModelTest, ALostSequenceMustBeDroppedFirst) {
  kv.poison({0});
  kv.carry_out(engine::DropKv{{0}});
  kv.check(call(0, 0, three));
  EXPECT_TRUE(verdict.ok());
  kv.poison({0});
  kv.check(call(0, 0, three));
  EXPECT_FALSE(verdict.ok());
}

TEST_F(KvModelTest, AnImportOfWhatWasNeverExportedIsFound) {
  kv.carry_out(engine::ImportKv{GenerationId{1}, {0}, 3});
  EXPECT_FALSE(verdict.ok());
}

TEST_F(KvModelTest, AnExportComesBackAsItWas) {
  kv.compute(call(0, 0, three).feeds[0], 3);
  const uint64_t state = kv.rows({0}).back().state;
  kv.carry_out(engine::ExportKv{GenerationId{1}, {0}, 3});
  kv.carry_out(engine::DropKv{{0}});
  kv.carry_out(engine::ImportKv{GenerationId{1}, {1}, 3});
  EXPECT_EQ(kv.rows({1}).back().state, state);
  EXPECT_TRUE(kv.in_host_memory().empty() && verdict.ok());
}

TEST_F(KvModelTest, ARowComputedAloneIsAnother) {
  std::vector<Token> last = {3};
  kv.compute(call(0, 0, three).feeds[0], 3);
  kv.compute(call(1, 0, three).feeds[0], 2);
  kv.compute(call(1, 2, last).feeds[0], 1);
  EXPECT_NE(kv.rows({0}).back().state, kv.rows({1}).back().state);
}

struct ChecksTest : ::testing::Test {
  ChecksTest() {
    scenario.config.lanes = 2;
    scenario.config.window = 64;
    scenario.config.vocabulary = 8;
    scenario.config.end_tokens = {0};
    record.id = {1};
    record.spec.prompt = {1, 2, 3};
    record.spec.max_tokens = 2;
    record.started = true;
  }
  Scenario scenario;
  Verdict verdict;
  Record record;
};

TEST_F(ChecksTest, AnotherTokenThanAloneIsFound) {
  Answers answers(scenario, verdict);
  answers.accepted(record);
  int wrong = 0;
  for (Token token = 0; token < 8; ++token) {
    Verdict one;
    Answers again(scenario, one);
    again.accepted(record);
    again.told(record, token);
    wrong += !one.ok();
  }
  EXPECT_EQ(wrong, 7);
}

TEST_F(ChecksTest, ASecondEndIsFound) {
  Lifecycle lifecycle(scenario, verdict);
  record.answer = {1, 2};
  const engine::GenerationFinishedFact end{record.id, FinishReason::length, {3, 0, 2}};
  lifecycle.said(record, end, {});
  EXPECT_TRUE(verdict.ok());
  record.ending = Ending::finished;
  lifecycle.said(record, end, {});
  EXPECT_FALSE(verdict.ok());
}

TEST_F(ChecksTest, AnEndForNoReasonIsFound) {
  Lifecycle lifecycle(scenario, verdict);
  record.answer = {1};
  lifecycle.said(record, engine::GenerationFinishedFact{record.id, FinishReason::length, {3, 0, 1}}, {});
  EXPECT_FALSE(verdict.ok());
}

TEST_F(ChecksTest, AWaitBeyondItsBoundIsFound) {
  Book book;
  KvModel kv(scenario.config, false, verdict);
  Waits waits(scenario, kv, verdict);
  for (int i = 0; i < 3; ++i) {
    Record& r = book.add();
    r.spec = record.spec;
    r.spec.cls = Class::interactive;
    waits.accepted(r);
  }
  book.at({1}).place = book.at({3}).place = Place::running;
  book.at({1}).seq = {0};
  book.at({3}).seq = {1};
  book.at({3}).service = 1000;
  engine::StepPlan plan;
  plan.moves.push_back(engine::DropKv{{0}});
  waits.planned(book, plan, TimePoint{} + 20ms);
  EXPECT_TRUE(verdict.ok()) << verdict.first()->what;
  for (const uint64_t id : {1, 3}) book.at({id}).starved_since = TimePoint{} + 60s;
  waits.planned(book, plan, TimePoint{} + 60s);
  EXPECT_FALSE(verdict.ok());
}

}  // namespace
}  // namespace sluice::sim
