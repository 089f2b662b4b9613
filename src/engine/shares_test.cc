#include "engine/shares.h"

#include <gtest/gtest.h>

namespace sluice::engine {
namespace {

TEST(Shares, TheLeadIsOverTheOneThatGotLeast) {
  Shares shares;
  Share& a = shares.enter(1);
  Share& b = shares.enter(2);
  shares.charge(a, 100);
  shares.charge(b, 30);
  EXPECT_EQ(shares.lead(a), 70u);
  EXPECT_EQ(shares.lead(b), 0u);
}

TEST(Shares, WhoComesBackStartsWhereTheLeastServedStands) {
  Shares shares;
  Share& a = shares.enter(1);
  shares.enter(2);
  shares.leave(2);
  shares.charge(a, 1000);
  Share& back = shares.enter(2);
  EXPECT_EQ(back.served(), 1000u);
  EXPECT_EQ(shares.lead(a), 0u);
}

TEST(Shares, AShareStaysUntilTheLastOfItsGenerationsHasLeft) {
  Shares shares;
  shares.charge(shares.enter(1), 10);
  shares.enter(1);
  shares.leave(1);
  EXPECT_EQ(shares.enter(1).served(), 10u);
  EXPECT_EQ(shares.size(), 1u);
}

TEST(Shares, ALastLaneThatWentToAnotherKeyIsToldUntilThereIsOneAgain) {
  constexpr TimePoint kLost = TimePoint{} + std::chrono::seconds(3);
  Share share;
  share.change_lanes(Class::agent, 1);
  share.change_lanes(Class::agent, -1);
  EXPECT_FALSE(share.lost_last_lane(Class::agent));
  share.lose_last_lane(Class::agent, kLost);
  share.change_lanes(Class::background, 1);
  EXPECT_EQ(share.lost_last_lane(Class::agent), kLost);
  EXPECT_FALSE(share.lost_last_lane(Class::background));
  share.change_lanes(Class::agent, 1);
  EXPECT_FALSE(share.lost_last_lane(Class::agent));
}

TEST(Shares, NothingIsKeptOfThoseThatHaveLeft) {
  Shares shares;
  for (uint64_t id = 0; id < 100; ++id) {
    shares.charge(shares.enter(id), id);
    shares.leave(id);
  }
  EXPECT_EQ(shares.size(), 0u);
}

}  // namespace
}  // namespace sluice::engine
