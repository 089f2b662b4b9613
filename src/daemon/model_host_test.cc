#include "daemon/model_host.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace sluice::daemon {
namespace {

TEST(HostState, OnlyTheseStepsFollowEachOther) {
  using S = HostState;
  const std::vector<std::pair<S, S>> legal = {
      {S::opening, S::loading}, {S::opening, S::failed}, {S::loading, S::serving}, {S::loading, S::failed}};
  for (int from = 0; from <= static_cast<int>(S::failed); ++from) {
    for (int to = 0; to <= static_cast<int>(S::failed); ++to) {
      const std::pair step{static_cast<S>(from), static_cast<S>(to)};
      EXPECT_EQ(may_follow(step.first, step.second), std::ranges::find(legal, step) != legal.end())
          << name_of(step.first) << " -> " << name_of(step.second);
    }
  }
}

class UnstartableModel : public testing::Test {
 protected:
  // A program that runs, and never says Hello.
  ModelHost make() {
    return ModelHost(core_, {}, "/bin/false", log_,
                     {.on_planned = [](const VocabularyFacts&, uint32_t) { ADD_FAILURE(); },
                      .on_serving = [] { ADD_FAILURE(); },
                      .on_failed =
                          [this](const Error& cause, int exit_code) {
                            cause_ = cause;
                            exit_code_ = exit_code;
                            core_.stop();
                          },
                      .on_progress = [] {}});
  }
  boost::asio::io_context core_;
  telemetry::Log log_{{.level = telemetry::LogLevel::error}};
  Error cause_;
  int exit_code_ = 0;
};

TEST_F(UnstartableModel, EndsWithTheModelsExitCodeAndRefusesGenerations) {
  ModelHost host = make();
  host.start();
  core_.run_for(std::chrono::seconds(60));
  EXPECT_EQ(host.state(), HostState::failed);
  EXPECT_EQ(exit_code_, 3);
  EXPECT_FALSE(cause_.message.empty());
  const auto refused = host.generations().start({}, Clock::now(), [](const auto&) {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
  host.stop();
}

}  // namespace
}  // namespace sluice::daemon
