#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "bench/result/full_run.h"
#include "bench/result/json.h"

namespace sluice::bench {
namespace {

using result::full_run;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(ResultJson, AFullResultComesBackAsItWas) {
  const RunResult run = full_run();
  const auto read = from_json(to_json(run));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, run);
}

TEST(ResultJson, AnEmptyResultComesBackAsItWas) {
  const auto read = from_json(to_json(RunResult{}));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, RunResult{});
}

TEST(ResultJson, EveryStateComesBackAsItWas) {
  RunResult run = full_run();
  for (const auto state : {RowState::served, RowState::did_not_start, RowState::died}) {
    run.rows[0].state = state;
    EXPECT_EQ(from_json(to_json(run))->rows[0].state, state);
  }
  for (const auto state :
       {SampleState::warm_up, SampleState::ok, SampleState::disturbed, SampleState::voided, SampleState::failed}) {
    run.cells[0].samples[0].state = state;
    EXPECT_EQ(from_json(to_json(run))->cells[0].samples[0].state, state);
  }
}

TEST(ResultJson, MeasuredNumbersComeBackExactly) {
  RunResult run = full_run();
  auto& figures = run.cells[0].samples[0].figures;
  for (int i = 0; i < 1000; ++i) figures[std::to_string(i)] = (i * 7919 + 1) / 1000.0 * std::pow(10, i % 9 - 3);
  for (auto& [name, figure] : figures) figure = std::stod(std::to_string(figure));  // six decimals
  EXPECT_EQ(*from_json(to_json(run)), run);
}

TEST(ResultJson, WhatHasNoValueIsLeftOut) {
  RunResult run = full_run();
  run.cells[0].x.reset();
  run.cells[0].samples[0].requests[0].first_ms.reset();
  run.cells[0].samples[0].memory.clear();
  run.rows[0].system_info.clear();
  run.rows[1].system_info.clear();
  EXPECT_THAT(to_json(run), AllOf(Not(HasSubstr("\"x\"")), Not(HasSubstr("first_ms")), Not(HasSubstr("memory\"")),
                                  Not(HasSubstr("system_info"))));
}

TEST(ResultJson, NumbersThatAreNotFiniteNeverGetOut) {
  for (const double bad : {kNan, kInfinity, -kInfinity}) {
    RunResult run = full_run();
    Sample& sample = run.cells[0].samples[0];
    Summary& summary = run.cells[0].summaries[0];
    run.machine.read_bytes_per_s = run.rows[0].ready_ms = sample.wall_ms = sample.others_cpu = bad;
    run.cells[0].x = sample.requests[0].first_ms = summary.ratio = run.agreement[0].first_difference = bad;
    sample.figures["bad"] = sample.requests[0].timings["bad"] = summary.median = bad;
    sample.memory.emplace_back(bad, 7);
    sample.probes.push_back({.at_ms = 1, .path = "/bad", .status = 200, .took_ms = bad});
    const std::string bytes = to_json(run);
    EXPECT_THAT(bytes,
                AllOf(Not(HasSubstr("nan")), Not(HasSubstr("inf,")), Not(HasSubstr("null")), Not(HasSubstr("bad"))));
    const auto read = from_json(bytes);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_FALSE(read->cells[0].x || read->cells[0].summaries[0].ratio);
    EXPECT_EQ(read->cells[0].samples[0].memory.size(), 2u);
    EXPECT_EQ(read->cells[0].samples[0].probes.size(), 1u);
  }
}

TEST(ResultJson, BytesThatAreNoTextAreReplaced) {
  RunResult run = full_run();
  run.rows[0].stderr_tail = "a\xFFz";
  run.cells[0].samples[0].requests[0].timings["k\xFF"] = 1;
  const auto read = from_json(to_json(run));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->rows[0].stderr_tail, "a\xEF\xBF\xBDz");
}

TEST(ResultJson, EverySampleStandsOnALineOfItsOwn) {
  RunResult run = full_run();
  run.cells[0].samples.assign(3, run.cells[0].samples[0]);
  const std::string bytes = to_json(run);
  size_t lines = 0;
  for (size_t at = bytes.find("\n{\"row\":1,\"round\":4"); at != std::string::npos;
       at = bytes.find("\n{\"row\":1,\"round\":4", at + 1)) {
    ++lines;
  }
  EXPECT_EQ(lines, 3u);
}

}  // namespace
}  // namespace sluice::bench
