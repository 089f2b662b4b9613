#include "daemon/tuning_keeper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace sluice::daemon {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Each keeper is a start of a daemon; what it logged is whole when it is gone.
class TuningKeeperTest : public testing::Test {
 protected:
  TuningKeeperTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream(folder_ / "m.gguf") << "weights";
    options_.state_folder = (folder_ / "state").string();
    load_.model_path = (folder_ / "m.gguf").string();
  }
  ~TuningKeeperTest() override { fs::remove_all(folder_); }

  // What the worker is told; it becomes ready with this tuning.
  LoadOptions start(const std::optional<Tuning>& tuning) {
    std::ostringstream out;
    LoadOptions told;
    {
      telemetry::Log log({.out = &out});
      TuningKeeper keeper(options_, log);
      told = keeper.decide(load_);
      supervisor::WorkerReport report;
      report.tuning = tuning;
      keeper.on_ready(report);
    }
    said_ = out.str();
    return told;
  }
  static Tuning chosen(bool flash_attention, uint32_t threads) {
    Tuning tuning;
    tuning.choice = {flash_attention, threads};
    return tuning;
  }

  const fs::path folder_ = fs::path(testing::TempDir()) / ("sluice-tuning-keeper-test-" + std::to_string(::getpid()));
  config::ServeOptions options_;
  LoadOptions load_;
  std::string said_;
};

TEST_F(TuningKeeperTest, WhatTheFirstStartMeasuresTheNextOneIsTold) {
  EXPECT_TRUE(start(chosen(true, 3)).tune);
  EXPECT_THAT(said_, HasSubstr("flash attention on, 3 threads (measured"));
  const LoadOptions next = start(std::nullopt);
  EXPECT_FALSE(next.tune);
  EXPECT_EQ(next.flash_attention, FlashAttention::on);
  EXPECT_EQ(next.threads, 3u);
  EXPECT_THAT(said_, HasSubstr("flash attention on, 3 threads (stored tuning of"));
}

TEST_F(TuningKeeperTest, WhereNothingCameOfItTheNextStartMeasures) {
  start(std::nullopt);
  EXPECT_THAT(said_, HasSubstr("nothing was measured"));
  EXPECT_TRUE(start(chosen(true, 3)).tune);
}

TEST_F(TuningKeeperTest, ARemarkIsSaid) {
  Tuning tuning = chosen(false, 2);
  tuning.remark = "the time is over";
  start(tuning);
  EXPECT_THAT(said_, HasSubstr("not everything was measured: the time is over"));
}

TEST_F(TuningKeeperTest, SwitchedOffNothingIsReadOrSaid) {
  start(chosen(true, 3));
  options_.tune = config::TuneMode::off;
  const LoadOptions told = start(std::nullopt);
  EXPECT_EQ(told.flash_attention, FlashAttention::automatic);
  EXPECT_EQ(told.threads, 0u);
  EXPECT_EQ(said_, "");
}

TEST_F(TuningKeeperTest, AgainMeasuresWhateverIsKnown) {
  start(chosen(true, 3));
  options_.tune = config::TuneMode::again;
  EXPECT_TRUE(start(chosen(false, 1)).tune);
  options_.tune = config::TuneMode::automatic;
  EXPECT_EQ(start(std::nullopt).flash_attention, FlashAttention::off);
}

TEST_F(TuningKeeperTest, WithoutAFolderNothingIsMeasured) {
  options_.state_folder.clear();
  EXPECT_FALSE(start(std::nullopt).tune);
  EXPECT_THAT(said_, HasSubstr("--state-dir"));
}

}  // namespace
}  // namespace sluice::daemon
