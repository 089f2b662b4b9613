#include "daemon/drain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace sluice::daemon {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kStart{1h};
constexpr auto kNotice = limits::drain_notice_max;

TEST(DrainState, OnlyTheseStepsFollowEachOther) {
  using S = DrainState;
  const std::vector<std::pair<S, S>> legal = {
      {S::serving, S::notice},   {S::serving, S::closing}, {S::notice, S::refusing}, {S::notice, S::ended},
      {S::refusing, S::closing}, {S::refusing, S::ended},  {S::closing, S::ended}};
  for (int from = 0; from <= static_cast<int>(S::ended); ++from) {
    for (int to = 0; to <= static_cast<int>(S::ended); ++to) {
      const std::pair step{static_cast<S>(from), static_cast<S>(to)};
      EXPECT_EQ(may_follow(step.first, step.second), std::ranges::find(legal, step) != legal.end())
          << name_of(step.first) << " -> " << name_of(step.second);
    }
  }
}

TEST(Drain, ServesUntilASignal) {
  Drain drain(30s);
  drain.on_tick(kStart);
  drain.on_idle(kStart);
  drain.on_closed();
  EXPECT_EQ(drain.state(), DrainState::serving);
  EXPECT_EQ(drain.next_deadline(), std::nullopt);
}

TEST(Drain, GivesNoticeBeforeItRefuses) {
  Drain drain(30s);
  drain.on_signal(kStart);
  EXPECT_EQ(drain.state(), DrainState::notice);
  EXPECT_EQ(drain.next_deadline(), kStart + kNotice);
  drain.on_idle(kStart);
  drain.on_tick(kStart + kNotice - 1ns);
  EXPECT_EQ(drain.state(), DrainState::notice) << "an idle daemon still gives its notice";
  drain.on_tick(kStart + kNotice);
  EXPECT_EQ(drain.state(), DrainState::refusing);
}

TEST(Drain, EndsWhenTheLastAnswerIsSent) {
  Drain drain(30s);
  drain.on_signal(kStart);
  drain.on_tick(kStart + kNotice);
  drain.on_idle(kStart + 10s);
  EXPECT_EQ(drain.state(), DrainState::closing);
  drain.on_closed();
  EXPECT_EQ(drain.state(), DrainState::ended);
  EXPECT_EQ(drain.next_deadline(), std::nullopt);
}

TEST(Drain, CutsAnswersThatRunLongerThanTheLimit) {
  Drain drain(30s);
  drain.on_signal(kStart);
  drain.on_tick(kStart + kNotice);
  EXPECT_EQ(drain.next_deadline(), kStart + 30s);
  drain.on_tick(kStart + 30s);
  EXPECT_EQ(drain.state(), DrainState::closing);
}

TEST(Drain, DoesNotWaitForConnectionsForEver) {
  Drain drain(30s);
  drain.on_signal(kStart);
  drain.on_tick(kStart + kNotice);
  drain.on_tick(kStart + 30s);
  drain.on_tick(kStart + 30s + limits::drain_flush_max);
  EXPECT_EQ(drain.state(), DrainState::ended);
}

TEST(Drain, AZeroLimitGivesNoNoticeAndCutsAtOnce) {
  Drain drain(0s);
  drain.on_signal(kStart);
  drain.on_tick(kStart);
  EXPECT_EQ(drain.state(), DrainState::closing);
}

TEST(Drain, ASecondSignalEndsAtOnceInEveryState) {
  for (const Duration later : {Duration(0s), Duration(kNotice), Duration(30s)}) {
    Drain drain(30s);
    drain.on_signal(kStart);
    drain.on_tick(kStart + later);
    drain.on_signal(kStart + later);
    EXPECT_EQ(drain.state(), DrainState::ended);
    drain.on_signal(kStart + later);
    EXPECT_EQ(drain.state(), DrainState::ended);
  }
}

TEST(Drain, AFailedStartClosesAtOnce) {
  Drain drain(30s);
  drain.on_startup_failed(kStart);
  EXPECT_EQ(drain.state(), DrainState::closing);
  drain.on_closed();
  EXPECT_EQ(drain.state(), DrainState::ended);
}

TEST(Drain, AFailedStartDuringADrainChangesNothing) {
  Drain drain(30s);
  drain.on_signal(kStart);
  drain.on_startup_failed(kStart);
  EXPECT_EQ(drain.state(), DrainState::notice);
}

}  // namespace
}  // namespace sluice::daemon
