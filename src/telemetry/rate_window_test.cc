#include "telemetry/rate_window.h"

#include <gtest/gtest.h>

namespace sluice::telemetry {
namespace {

using namespace std::chrono_literals;

TimePoint at(Duration since_epoch) { return TimePoint(since_epoch); }

TEST(RateWindow, ASteadyRateReadsAsItself) {
  RateWindow window;
  for (int ms = 0; ms < 30'000; ms += 100) window.add(at(1000s + ms * 1ms), 7);
  EXPECT_NEAR(window.per_second(at(1030s)), 70, 1e-9);
  EXPECT_NEAR(window.per_second(at(1029s + 999ms)), 70, 0.1);
}

TEST(RateWindow, WhatIsOlderThanTenSecondsIsForgotten) {
  RateWindow window;
  window.add(at(100s), 90);
  EXPECT_NEAR(window.per_second(at(109s + 900ms)), 90 / 9.9, 1e-9);
  EXPECT_EQ(window.per_second(at(110s)), 0);
}

TEST(RateWindow, ALongPauseLeavesNothingBehind) {
  RateWindow window;
  window.add(at(100s), 90);
  window.add(at(500s), 9);
  EXPECT_NEAR(window.per_second(at(500s)), 1, 1e-9);
}

TEST(RateWindow, AnEmptyOneIsZero) { EXPECT_EQ(RateWindow().per_second(at(5s)), 0); }

}  // namespace
}  // namespace sluice::telemetry
