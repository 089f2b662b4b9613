#include "engine/cost_model.h"

#include <gtest/gtest.h>

#include <random>

namespace sluice::engine {
namespace {

using namespace std::chrono_literals;

// A machine whose calls take 3 ms, 0.5 ms a row, and as much again for every 1024 tokens of depth.
Duration true_time(const CallShape& s) {
  return from_us(3000.0 * s.passes + 500.0 * s.rows + 500.0 * s.rows * s.depth / 1024);
}

double error_of(const CostModel& costs, CallKind kind, const CallShape& s) {
  return std::abs(to_ms(costs.predict(kind, s)) / to_ms(true_time(s)) - 1);
}

TEST(CostModel, FirstChunksAreSmallAndGrowWithWhatWasSeen) {
  CostModel costs;
  EXPECT_GE(costs.prefill_rows_within(250ms, 0, 512), 32u);
  EXPECT_LE(costs.prefill_rows_within(250ms, 0, 512), 64u);
  EXPECT_LE(costs.prefill_rows_within(1h, 0, 512), 64u);
  costs.learn(CallKind::prefill, {64, 1, 64}, 1ms);
  EXPECT_EQ(costs.prefill_rows_within(250ms, 0, 512), 128u);
  costs.learn(CallKind::prefill, {128, 1, 128}, 2ms);
  costs.learn(CallKind::prefill, {256, 1, 256}, 4ms);
  EXPECT_EQ(costs.prefill_rows_within(250ms, 0, 512), 512u);
}

TEST(CostModel, StartsFromTheRowTimeMeasuredAtLoad) {
  const CostModel costs(1s);
  EXPECT_GE(costs.predict(CallKind::prefill, {64, 1, 64}), 64s);
  EXPECT_GE(costs.predict(CallKind::decode, {1, 1, 64}), 1s);
  EXPECT_EQ(costs.prefill_rows_within(10s, 0, 512), 9u);
  EXPECT_EQ(CostModel(1us).prefill_rows_within(250ms, 0, 512), 64u) << "a fast machine's first chunk stays small";
}

TEST(CostModel, ASlowMachineGetsFewRowsAfterOneSample) {
  CostModel costs;
  costs.learn(CallKind::prefill, {64, 1, 64}, 6400ms);
  EXPECT_LE(costs.prefill_rows_within(250ms, 0, 512), 3u);
}

TEST(CostModel, LearnsACallsTimeFromRowsAndDepth) {
  CostModel costs;
  std::mt19937 random(1);
  for (int i = 0; i < 400; ++i) {
    const uint32_t rows = 2 + random() % 500;
    const CallShape shape{rows, 1, rows + static_cast<uint32_t>(random() % 4000)};
    costs.learn(CallKind::prefill, shape, true_time(shape));
  }
  for (const CallShape& shape : {CallShape{64, 1, 64}, {512, 1, 512}, {64, 1, 4000}, {256, 1, 2000}}) {
    EXPECT_LT(error_of(costs, CallKind::prefill, shape), 0.25) << shape.rows << " rows at " << shape.depth;
  }
}

TEST(CostModel, ARepeatedShapeIsPredictedWell) {
  CostModel costs;
  for (uint32_t depth = 100; depth < 160; ++depth) {
    costs.learn(CallKind::decode, {8, 1, depth}, true_time({8, 1, depth}));
  }
  EXPECT_LT(error_of(costs, CallKind::decode, {8, 1, 160}), 0.05);
}

TEST(CostModel, AnExtraPassIsLearnedWherePassesVary) {
  CostModel costs;
  EXPECT_EQ(costs.extra_pass(), Duration{});
  std::mt19937 random(2);
  for (int i = 0; i < 400; ++i) {
    const uint32_t rows = 1 + random() % 8;
    const CallShape shape{rows, 1 + static_cast<uint32_t>(random()) % rows, 100};
    costs.learn(CallKind::decode, shape, true_time(shape));
  }
  EXPECT_NEAR(to_ms(costs.extra_pass()), 3.0, 0.3);
}

TEST(CostModel, ARowsWithinResultIsPredictedToFitAndOneMoreIsNot) {
  CostModel costs;
  for (uint32_t rows : {64u, 128u, 256u, 512u})
    costs.learn(CallKind::prefill, {rows, 1, rows}, true_time({rows, 1, rows}));
  for (uint32_t first : {0u, 500u, 5000u}) {
    const uint32_t rows = costs.prefill_rows_within(100ms, first, 1000);
    ASSERT_GT(rows, 0u);
    EXPECT_LE(costs.predict(CallKind::prefill, {rows, 1, first + rows}), 100ms);
    EXPECT_GT(costs.predict(CallKind::prefill, {rows + 1, 1, first + rows + 1}), 100ms);
  }
}

TEST(CostModel, OneHiccupDoesNotRuinAPrediction) {
  CostModel costs;
  for (int i = 0; i < 20; ++i) costs.learn(CallKind::decode, {4, 1, 100}, 10ms);
  costs.learn(CallKind::decode, {4, 1, 100}, 10s);
  EXPECT_LT(costs.predict(CallKind::decode, {4, 1, 100}), 17ms);
}

TEST(CostModel, ACopyIsGuessedInPassesUntilOneWasMeasured) {
  CostModel costs;
  EXPECT_GT(costs.copy(), Duration{});
  costs.learn_copy(7ms);
  EXPECT_EQ(costs.copy(), 7ms);
}

TEST(CostModel, PrefillAndDecodeAreLearnedApart) {
  CostModel costs;
  const Duration before = costs.predict(CallKind::decode, {4, 1, 100});
  costs.learn(CallKind::prefill, {64, 1, 64}, 1ms);
  EXPECT_EQ(costs.predict(CallKind::decode, {4, 1, 100}), before);
}

CostModel model_of_much() {
  CostModel costs;
  for (uint32_t rows : {64u, 128u, 256u, 512u})
    costs.learn(CallKind::prefill, {rows, 1, rows}, true_time({rows, 1, rows}));
  for (uint32_t depth = 100; depth < 160; ++depth)
    costs.learn(CallKind::decode, {8, 1, depth}, true_time({8, 1, depth}));
  costs.learn_copy(7ms);
  costs.learn_export(100, 300us);
  costs.learn_import(100, 200us);
  return costs;
}

void learn_prefill(CostModel& costs, int calls, const CallShape& shape, Duration elapsed) {
  for (int i = 0; i < calls; ++i) costs.learn(CallKind::prefill, shape, elapsed);
}

TEST(CostModel, TheFastestRowIsUnknownUntilFourCallsWereMeasuredWhateverWasKept) {
  EXPECT_EQ(CostModel(1s).fastest_row(1h, 512), std::nullopt);
  CostModel costs({}, model_of_much().learned());
  learn_prefill(costs, 3, {512, 1, 512}, 1024ms);
  EXPECT_EQ(costs.fastest_row(1h, 512), std::nullopt);
  learn_prefill(costs, 1, {512, 1, 512}, 512ms);
  EXPECT_EQ(costs.fastest_row(1h, 512), 1ms);
}

TEST(CostModel, TheFastestRowIsUnknownWhereAllCallsWereSmallBesideWhatOneMayHave) {
  CostModel costs;
  learn_prefill(costs, 100, {255, 1, 255}, 255ms);
  EXPECT_EQ(costs.fastest_row(1h, 512), std::nullopt);
  EXPECT_EQ(costs.fastest_row(1h, 510), 1ms) << "a larger one is not planned";
  EXPECT_EQ(costs.fastest_row(300ms, 512), 1ms) << "nor is one that takes longer";
  learn_prefill(costs, 4, {256, 1, 256}, 256ms);
  EXPECT_EQ(costs.fastest_row(1h, 512), 1ms);
}

TEST(CostModel, CallsThatBeganDeepDoNotTellHowFastARowIs) {
  CostModel costs;
  learn_prefill(costs, 100, {512, 1, 9000}, 2s);
  EXPECT_EQ(costs.fastest_row(1h, 512), std::nullopt);
  learn_prefill(costs, 4, {512, 1, 1024}, 512ms);
  EXPECT_EQ(costs.fastest_row(1h, 512), 1ms);
}

TEST(CostModel, InNoCallOfThatSizeARowTakesLessThanHalfTheFastest) {
  std::mt19937 random(3);
  int answers = 0;
  for (int machine = 0; machine < 200; ++machine) {
    const double call_us = 1000 * static_cast<double>(random() % 100), row_us = 10 + random() % 1000;
    const auto time = [&](uint32_t rows) { return from_us(call_us + row_us * rows); };
    const uint32_t most = 20 + random() % 493;
    CostModel costs;
    for (int i = 0; i < 50; ++i) {
      const auto rows = 2 + static_cast<uint32_t>(random()) % most;
      costs.learn(CallKind::prefill, {rows, 1, rows}, time(rows));
    }
    const auto fastest = costs.fastest_row(1h, 512);
    if (!fastest) continue;
    ++answers;
    for (const uint32_t rows : {1u, 100u, 512u}) EXPECT_LE(*fastest / 2, time(rows) / rows) << "machine " << machine;
  }
  EXPECT_GT(answers, 50);
}

TEST(CostModel, AnotherGoesOnWhereOneEnded) {
  const CostModel first = model_of_much();
  const CostModel next(1s, first.learned());
  for (const CallKind kind : {CallKind::prefill, CallKind::decode})
    EXPECT_EQ(next.predict(kind, {8, 1, 1000}), first.predict(kind, {8, 1, 1000}));
  EXPECT_EQ(next.prefill_rows_within(1h, 0, 5000), 1024u) << "rows that were seen once are no guess";
  EXPECT_EQ(next.extra_pass(), first.extra_pass());
  EXPECT_EQ(next.copy(), 7ms);
  EXPECT_EQ(next.export_of(1000), 3ms);
  EXPECT_EQ(next.import_of(1000), 2ms);
}

TEST(CostModel, WhatWasKeptGivesWayWhereTheMachineHasChanged) {
  CostModel next({}, model_of_much().learned());
  const CallShape shape{8, 1, 100};
  const Duration slow = 20 * true_time(shape);
  for (int i = 0; i < 8; ++i) next.learn(CallKind::decode, shape, slow);
  EXPECT_GT(next.predict(CallKind::decode, shape), slow / 2);
  EXPECT_LT(next.predict(CallKind::decode, shape), slow * 3 / 2);
}

TEST(CostModel, OfWhatWasNotKeptTheGuessesHold) {
  Costs kept = model_of_much().learned();
  kept.decode = {};
  const CostModel next({}, kept);
  EXPECT_EQ(next.predict(CallKind::decode, {4, 1, 100}), CostModel().predict(CallKind::decode, {4, 1, 100}));
  EXPECT_EQ(next.extra_pass(), Duration{});
}

TEST(CostModel, WithoutSamplesNothingIsLearned) { EXPECT_EQ(CostModel(1ms).learned(), Costs{}); }

TEST(CostModel, WhatIsAbsurdCountsAsNotLearned) {
  CostModel costs;
  costs.learn(CallKind::decode, {8, 1, 100}, Duration{});
  costs.learn(CallKind::prefill, {1, 1, 1}, 24h);
  costs.learn_copy(2h);
  costs.learn_export(5, Duration{});
  const Costs learned = costs.learned();
  EXPECT_TRUE(is_possible(learned));
  EXPECT_EQ(learned.decode, CallCosts{});
  EXPECT_EQ(learned.copy, UnitCost{});
  EXPECT_EQ(learned.export_token, UnitCost{});
}

TEST(ShapeOf, CountsRowsDepthAndTheRunsOfIds) {
  const std::vector<Token> row(1);
  const PlannedCall call{.kind = CallKind::decode,
                         .feeds = {{.generation = {1}, .seq = {0}, .first = 9, .tokens = row, .sample = true},
                                   {.generation = {2}, .seq = {2}, .first = 30, .tokens = row, .sample = true}},
                         .predicted = {}};
  EXPECT_EQ(shape_of(call, true).passes, 2u);
  EXPECT_EQ(shape_of(call, false).passes, 1u);
  EXPECT_EQ(shape_of(call, true).rows, 2u);
  EXPECT_EQ(shape_of(call, true).depth, 31u);
}

}  // namespace
}  // namespace sluice::engine
