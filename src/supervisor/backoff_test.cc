#include "supervisor/backoff.h"

#include <gtest/gtest.h>

namespace sluice::supervisor {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kStart{};

TEST(Backoff, DoublesFromMinToMax) {
  Backoff backoff({100ms, 1s, 30s});
  for (const Duration expected : {100ms, 200ms, 400ms, 800ms, 1000ms, 1000ms}) {
    EXPECT_EQ(backoff.on_death(kStart), expected);
  }
}

TEST(Backoff, AHealthyTimeStartsItAgain) {
  Backoff backoff({100ms, 1s, 30s});
  backoff.on_death(kStart);
  backoff.on_death(kStart);
  backoff.on_ready(kStart);
  EXPECT_EQ(backoff.on_death(kStart + 30s), 100ms);
  EXPECT_EQ(backoff.on_death(kStart + 30s), 200ms);
}

TEST(Backoff, AShortHealthyTimeDoesNot) {
  Backoff backoff({100ms, 1s, 30s});
  backoff.on_death(kStart);
  backoff.on_ready(kStart);
  EXPECT_EQ(backoff.on_death(kStart + 30s - 1ns), 200ms);
}

TEST(Backoff, ADeathBeforeReadinessDoesNotCountAnEarlierHealthyTime) {
  Backoff backoff({100ms, 1s, 30s});
  backoff.on_ready(kStart);
  backoff.on_death(kStart);
  EXPECT_EQ(backoff.on_death(kStart + 1h), 200ms);
}

}  // namespace
}  // namespace sluice::supervisor
