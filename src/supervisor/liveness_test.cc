#include "supervisor/liveness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice::supervisor {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Optional;

constexpr LivenessTiming kTiming{2s, 10s, 20};

TEST(Liveness, AStepMayBeAsOldAsTheLeastBound) {
  Liveness liveness(kTiming);
  ASSERT_FALSE(liveness.on_ping_due());
  EXPECT_FALSE(liveness.on_pong({1, 10s, 1ms}));
  ASSERT_FALSE(liveness.on_ping_due());
  EXPECT_THAT(liveness.on_pong({2, 10s + 1ms, 1ms}), Optional(HasSubstr("hangs")));
}

TEST(Liveness, ALongForecastAllowsALongStep) {
  Liveness liveness(kTiming);
  ASSERT_FALSE(liveness.on_ping_due());
  EXPECT_FALSE(liveness.on_pong({1, 40s, 2s}));
  ASSERT_FALSE(liveness.on_ping_due());
  EXPECT_TRUE(liveness.on_pong({2, 40s + 1ms, 2s}));
}

TEST(Liveness, UnansweredPingsAreCountedUntilTheyMakeTheBound) {
  Liveness liveness(kTiming);
  for (int ping = 1; ping <= 5; ++ping) EXPECT_FALSE(liveness.on_ping_due()) << ping;
  EXPECT_THAT(liveness.on_ping_due(), Optional(HasSubstr("has not answered for 10 s")));
}

TEST(Liveness, ALateAnswerStartsTheCountAgain) {
  Liveness liveness(kTiming);
  for (int ping = 1; ping <= 5; ++ping) ASSERT_FALSE(liveness.on_ping_due());
  EXPECT_FALSE(liveness.on_pong({5, 0s, 0s}));
  for (int ping = 6; ping <= 10; ++ping) EXPECT_FALSE(liveness.on_ping_due()) << ping;
  EXPECT_TRUE(liveness.on_ping_due());
}

TEST(Liveness, AnIntervalOverTheBoundWaitsForOneAnswer) {
  Liveness liveness({20s, 10s, 20});
  EXPECT_FALSE(liveness.on_ping_due());
  EXPECT_TRUE(liveness.on_ping_due());
}

TEST(Liveness, APongOfNoPingIsABreach) {
  Liveness liveness(kTiming);
  EXPECT_TRUE(liveness.on_pong({1, 0s, 0s}));
  ASSERT_FALSE(liveness.on_ping_due());
  ASSERT_FALSE(liveness.on_pong({1, 0s, 0s}));
  EXPECT_TRUE(liveness.on_pong({1, 0s, 0s}));
}

}  // namespace
}  // namespace sluice::supervisor
