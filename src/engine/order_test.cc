#include "engine/order.h"

#include <gtest/gtest.h>

namespace sluice::engine {
namespace {

using namespace std::chrono_literals;

TEST(Order, ABetterClassGoesFirst) {
  EXPECT_TRUE(sooner({.cls = Class::interactive, .service = 9000, .arrival = 2}, {.cls = Class::agent, .arrival = 1}));
  EXPECT_FALSE(sooner({.cls = Class::background, .arrival = 1}, {.cls = Class::agent, .arrival = 2}));
}

TEST(Order, WithinAClassTheKeyThatGotLessGoesFirst) {
  EXPECT_TRUE(sooner({.service = 9000, .arrival = 2}, {.key = {.lead = 5000}, .arrival = 1}));
}

TEST(Order, WithinAKeyTheSessionThatGotLessGoesFirst) {
  EXPECT_TRUE(sooner({.service = 9000, .arrival = 2}, {.session = {.lead = 5000}, .arrival = 1}));
}

TEST(Order, WhoGotLittleGoesBeforeWhoGotMuch) {
  EXPECT_TRUE(sooner({.service = 0, .arrival = 2}, {.service = 3000, .arrival = 1}));
}

TEST(Order, ALittleMoreServiceDecidesNothing) {
  EXPECT_TRUE(sooner({.service = 400, .arrival = 1}, {.service = 0, .arrival = 2}));
}

TEST(Order, OfEqualsTheShorterPromptGoesFirstThenTheEarlier) {
  EXPECT_TRUE(sooner({.prompt_left = 50, .arrival = 2}, {.prompt_left = 6000, .arrival = 1}));
  EXPECT_TRUE(sooner({.prompt_left = 100, .arrival = 1}, {.prompt_left = 50, .arrival = 2}));
}

TEST(Order, WhoGetsNothingMovesUpPastEverything) {
  const Claim newcomer{.cls = Class::interactive, .arrival = 2};
  const Claim starved{
      .cls = Class::background, .starved = 90s, .key = {.lead = 9000, .lanes = 9}, .service = 20000, .arrival = 1};
  EXPECT_TRUE(sooner(starved, newcomer));
}

TEST(Order, WhoWasStoppedIsBackWithinSeconds) {
  const Claim newcomer{.arrival = 2};
  EXPECT_TRUE(sooner({.starved = 4500ms, .paused = true, .service = 20000, .arrival = 1}, newcomer));
  EXPECT_TRUE(sooner({.starved = 4500ms, .paused = true, .prompt_left = 20000, .arrival = 1}, newcomer));
}

TEST(Order, LongPromptsThatAreReadInTurnDoNotHoldUpAShortOne) {
  EXPECT_TRUE(
      sooner({.prompt_left = 20, .arrival = 2}, {.starved = 5s, .service = 600, .prompt_left = 800, .arrival = 1}));
}

TEST(Order, HavingComeEarlierTakesNothingFromAnybody) {
  EXPECT_TRUE(sooner({.arrival = 1}, {.arrival = 2}));
  EXPECT_FALSE(outranks({.arrival = 1}, {.arrival = 2}));
  EXPECT_TRUE(outranks({.arrival = 2}, {.service = 600, .arrival = 1}));
}

TEST(Order, OfTwoKeysThatGotAsMuchTheOneWithFewerLanesGoesFirst) {
  EXPECT_TRUE(sooner({.key = {1, 200, 2}, .service = 9000, .arrival = 2}, {.key = {2, 0, 3}, .arrival = 1}));
  EXPECT_FALSE(sooner({.key = {1, 9000, 0}, .arrival = 1}, {.key = {2, 0, 8}, .arrival = 2}));
}

TEST(Order, OfTwoSessionsOfAKeyTheOneWithFewerLanesGoesFirst) {
  EXPECT_TRUE(sooner({.session = {1, 200, 2}, .service = 9000, .arrival = 2}, {.session = {2, 0, 3}, .arrival = 1}));
}

TEST(Order, AKeyTakesALaneOfOneThatHasTwoMore) {
  const Claim newcomer{.key = {1, 0, 4}, .arrival = 2};  // three, and this one
  EXPECT_TRUE(outranks(newcomer, {.key = {2, 0, 5}, .arrival = 1}));
  EXPECT_FALSE(outranks(newcomer, {.key = {2, 0, 4}, .arrival = 1}));
  EXPECT_FALSE(outranks(newcomer, {.key = {2, 0, 3}, .arrival = 1}));
}

TEST(Order, WithinAKeyAndASessionItsLanesDecideNothing) {
  const Sharer key{1, 0, 8}, session{7, 0, 5};
  EXPECT_FALSE(
      outranks({.key = key, .session = session, .arrival = 2}, {.key = key, .session = session, .arrival = 1}));
  EXPECT_TRUE(outranks({.key = key, .session = session, .arrival = 2},
                       {.key = key, .session = session, .service = 600, .arrival = 1}));
}

TEST(Order, WhoNamesNoSessionIsOneOfItsOwn) {
  const Sharer key{1, 0, 4};
  const Claim newcomer{.key = key, .arrival = 2};
  EXPECT_FALSE(outranks(newcomer, {.key = key, .arrival = 1}));
  EXPECT_TRUE(outranks(newcomer, {.key = key, .session = {5, 0, 2}, .arrival = 1}));
}

// Else a key with lanes would keep its others away from every one of keys that come and go.
TEST(Order, WhoGotNothingForLongCountsAsTheOnlyOneOfItsKey) {
  EXPECT_TRUE(sooner({.cls = Class::interactive, .starved = 10s, .key = {1, 0, 8}, .arrival = 1},
                     {.cls = Class::interactive, .key = {2, 0, 1}, .arrival = 2}));
}

TEST(Order, WhoWaitsBehindItsOwnKeyMovesUpWithinItOnly) {
  const Claim queued{.cls = Class::agent, .starved = 60s, .key_starved = 0s, .key = {1, 300, 5}, .arrival = 1};
  const Claim newcomer{.cls = Class::agent, .key = {2, 0, 1}, .arrival = 2};
  EXPECT_FALSE(sooner(queued, newcomer));
  EXPECT_FALSE(outranks(queued, {.cls = Class::agent, .key = {2, 0, 4}, .arrival = 2}));
  EXPECT_TRUE(outranks(queued, {.cls = Class::agent, .key = {1, 300, 4}, .service = 600, .arrival = 2}));
}

TEST(Order, AKeyThatLostItsLastLaneAgesSinceThenBeforeOthers) {
  const auto queued = [](Duration lost) {
    return Claim{.cls = Class::agent, .starved = 60s, .key_starved = lost, .key = {1, 2000, 1}, .arrival = 1};
  };
  const Claim newcomer{.cls = Class::agent, .key = {2, 0, 1}, .arrival = 2};
  EXPECT_FALSE(sooner(queued(9s), newcomer));
  EXPECT_TRUE(sooner(queued(10s), newcomer));
  EXPECT_TRUE(sooner(queued(90s), newcomer));
}

TEST(Order, WhoCameAfterItsKeyLostItsLastLaneWasNotStopped) {
  const auto starved = [](Duration time) {
    return Claim{.starved = time, .key_starved = 3600s, .key = {1, 2000, 1}, .arrival = 1};
  };
  EXPECT_EQ(rank_of(starved(9s)).key, 7);
  EXPECT_EQ(rank_of(starved(3600s)).key, 0);
}

// Else who was stopped would be before the others of such a key for as long as it lives.
TEST(Order, AKeyThatLostItsLastLaneAgesAsOne) {
  const Claim earlier{.starved = 60s, .key_starved = 6s, .key = {1, 2000, 1}, .arrival = 1};
  const Claim stopped{.starved = 6s, .paused = true, .key_starved = 6s, .key = {1, 2000, 1}, .arrival = 2};
  EXPECT_TRUE(sooner(earlier, stopped));
}

TEST(Order, NobodyGoesBeforeItself) {
  const Claim c{.starved = 1s, .arrival = 1};
  EXPECT_FALSE(sooner(c, c));
}

TEST(Order, ALaneIsWorthTheServiceAheadTheWaitAndTheClass) {
  EXPECT_EQ(worth({}, {.service = 1000}, 2ms), 2s);
  EXPECT_EQ(worth({.starved = 3s, .service = 1000}, {}, 2ms), 3s);
  EXPECT_EQ(worth({.cls = Class::interactive}, {.cls = Class::agent}, 2ms), 2s);
  EXPECT_EQ(worth({}, {.key = {.lead = 500}}, 2ms), 1s);
}

}  // namespace
}  // namespace sluice::engine
