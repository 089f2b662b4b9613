#include "daemon/cost_keeper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

namespace sluice::daemon {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::HasSubstr;

Costs costs_of(double row_us) { return {{0, row_us, 0, 4}, {}, 64, {}, {}, {}}; }

// Each life is a start of a daemon; what it logged is whole when it is gone.
class CostKeeperTest : public testing::Test {
 protected:
  CostKeeperTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream(folder_ / "m.gguf") << "weights";
    options_.state_folder = (folder_ / "state").string();
    load_.model_path = (folder_ / "m.gguf").string();
  }
  ~CostKeeperTest() override { fs::remove_all(folder_); }

  // What the worker is told; then `act` may happen to the keeper.
  template <class Act>
  Costs live(Act act) {
    std::ostringstream out;
    Costs told;
    {
      telemetry::Log log({.out = &out});
      CostKeeper keeper(core_, options_, log, interval_);
      told = keeper.recall(load_).costs;
      act(keeper);
      keeper.write_rest();
    }
    said_ = out.str();
    return told;
  }
  Costs live() {
    return live([](CostKeeper&) {});
  }
  Costs kept_now() {  // as another daemon would find it
    std::ostringstream out;
    telemetry::Log log({.out = &out});
    return CostKeeper(core_, options_, log, 1h).recall(load_).costs;
  }
  // False: the deadline passed first. It is only met by a test that fails.
  bool run_until(const std::function<bool()>& happened) {
    const TimePoint end = Clock::now() + 30s;
    while (!happened()) {
      if (core_.run_one_until(end) == 0) return happened();
    }
    return true;
  }
  fs::path file() const { return fs::directory_iterator(folder_ / "state" / "costs")->path(); }

  const fs::path folder_ = fs::path(testing::TempDir()) / ("sluice-cost-keeper-test-" + std::to_string(::getpid()));
  boost::asio::io_context core_;
  Duration interval_ = 1h;
  config::ServeOptions options_;
  LoadOptions load_;
  std::string said_;
};

TEST_F(CostKeeperTest, WhatOneStartLearnsTheNextOneIsTold) {
  EXPECT_EQ(live([](CostKeeper& keeper) { keeper.on_costs(costs_of(500)); }), Costs{});
  EXPECT_EQ(live(), costs_of(500));
  EXPECT_THAT(said_, HasSubstr("first predictions from the costs learned until 20"));
}

TEST_F(CostKeeperTest, TheFirstIsWrittenAtOnceAndWithinItsIntervalNothingElseUntilTheEnd) {
  live([this](CostKeeper& keeper) {
    keeper.on_costs(costs_of(500));
    EXPECT_EQ(kept_now(), costs_of(500));
    keeper.on_costs(costs_of(600));
    core_.poll();
    EXPECT_EQ(kept_now(), costs_of(500));
  });
  EXPECT_EQ(live(), costs_of(600));
}

TEST_F(CostKeeperTest, WhatCameWithinAnIntervalIsWrittenWhenItIsOver) {
  interval_ = 1ms;
  live([this](CostKeeper& keeper) {
    for (const double row_us : {500., 700.}) {
      keeper.on_costs(costs_of(row_us));
      keeper.on_costs(costs_of(row_us + 100));
      EXPECT_TRUE(run_until([&] { return kept_now() == costs_of(row_us + 100); })) << row_us;
    }
  });
}

TEST_F(CostKeeperTest, AfterAnIntervalInWhichNothingCameTheNextIsWrittenAtOnce) {
  interval_ = 1ms;
  live([this](CostKeeper& keeper) {
    keeper.on_costs(costs_of(500));
    core_.run();
    keeper.on_costs(costs_of(600));
    EXPECT_EQ(kept_now(), costs_of(600));
  });
}

TEST_F(CostKeeperTest, OtherSettingsHaveOtherCosts) {
  live([](CostKeeper& keeper) { keeper.on_costs(costs_of(500)); });
  load_.threads = 1;
  EXPECT_EQ(live(), Costs{});
  load_.threads = 0;
  load_.lanes = 3;
  load_.window = 512;
  EXPECT_EQ(live(), costs_of(500)) << "lanes and window do not change what a row takes";
}

TEST_F(CostKeeperTest, WhatIsLearnedAfterMeasuringIsOfTheSettingsThatWereChosen) {
  load_.tune = true;
  const Costs told = live([](CostKeeper& keeper) {
    supervisor::WorkerReport report;
    report.tuning.emplace().choice = {true, 3};
    keeper.on_ready(report);
    keeper.on_costs(costs_of(500));
  });
  EXPECT_EQ(told, Costs{});
  load_.tune = false;
  EXPECT_EQ(live(), Costs{});
  load_.flash_attention = FlashAttention::on;
  load_.threads = 3;
  EXPECT_EQ(live(), costs_of(500));
}

TEST_F(CostKeeperTest, ABrokenFileIsSaidToBeAndLearnedAnew) {
  live([](CostKeeper& keeper) { keeper.on_costs(costs_of(500)); });
  fs::resize_file(file(), fs::file_size(file()) - 1);
  EXPECT_EQ(live([](CostKeeper& keeper) { keeper.on_costs(costs_of(600)); }), Costs{});
  EXPECT_THAT(said_, HasSubstr("is not used: it was cut or changed; costs are learned anew"));
  EXPECT_EQ(live(), costs_of(600));
}

TEST_F(CostKeeperTest, AFolderThatCannotBeWrittenIsSaidOnce) {
  std::ofstream(options_.state_folder) << "a file";
  live([](CostKeeper& keeper) {
    keeper.on_costs(costs_of(500));
    keeper.on_costs(costs_of(600));
  });
  const size_t first = said_.find("is not kept");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(said_.find("is not kept", first + 1), std::string::npos);
}

TEST_F(CostKeeperTest, WithoutAFolderNothingIsKept) {
  options_.state_folder.clear();
  live([](CostKeeper& keeper) { keeper.on_costs(costs_of(500)); });
  EXPECT_EQ(live(), Costs{});
  EXPECT_EQ(said_, "");
}

}  // namespace
}  // namespace sluice::daemon
