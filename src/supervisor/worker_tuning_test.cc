// A worker that is asked to tune, and its successors: they are told what it chose.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "supervisor/worker_test_fixture.h"

namespace sluice::supervisor {
namespace {

using testing::ElementsAre;

class WorkerTuningTest : public WorkerTest {
 protected:
  WorkerClient::Options tuned(const std::string& script) {
    auto options = options_of(script);
    options.load.tune = true;
    return options;
  }
  std::vector<std::string> loads() const {
    std::vector<std::string> told_loads;
    for (const auto& line : lines)
      if (line.starts_with("load ")) told_loads.push_back(line);
    return told_loads;
  }
};

TEST_F(WorkerTuningTest, TheNextProcessIsToldTheChoice) {
  start(tuned("tunes"));
  ASSERT_TRUE(run_until_state("ready"));
  ASSERT_TRUE(client->report().tuning);
  EXPECT_EQ(client->report().tuning->choice, (TuningChoice{true, 3}));
  ASSERT_TRUE(signal_child(client->pid(), SIGKILL));
  ASSERT_TRUE(run_until_state("ready", 2));
  ASSERT_TRUE(run_until_line("load tune 0 flash 1 threads 3"));
  EXPECT_THAT(loads(), ElementsAre("load tune 1 flash 0 threads 0", "load tune 0 flash 1 threads 3"));
}

TEST_F(WorkerTuningTest, WhatWasAskedForStaysAsItWasAsked) {
  auto options = tuned("tunes");
  options.load.threads = 2;
  options.load.flash_attention = FlashAttention::off;
  start(std::move(options));
  ASSERT_TRUE(run_until_state("ready"));
  ASSERT_TRUE(signal_child(client->pid(), SIGKILL));
  ASSERT_TRUE(run_until_state("ready", 2));
  EXPECT_TRUE(run_until_line("load tune 0 flash 2 threads 2"));
}

TEST_F(WorkerTuningTest, OneThatDiesOfMeasuringIsReplacedByOneThatDoesNotMeasure) {
  start(tuned("dies-of-tuning"));
  ASSERT_TRUE(run_until_state("ready"));
  EXPECT_FALSE(client->report().tuning);
  EXPECT_EQ(client->counts().deaths, 1u);
  EXPECT_TRUE(run_until_line("load tune 0 flash 0 threads 0"));
}

}  // namespace
}  // namespace sluice::supervisor
