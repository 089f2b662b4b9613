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
  EXPECT_TRUE(sooner({.key_lead = 0, .service = 9000, .arrival = 2}, {.key_lead = 5000, .arrival = 1}));
}

TEST(Order, WithinAKeyTheSessionThatGotLessGoesFirst) {
  EXPECT_TRUE(sooner({.session_lead = 0, .service = 9000, .arrival = 2}, {.session_lead = 5000, .arrival = 1}));
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
  const Claim starved{.cls = Class::background, .starved = 90s, .key_lead = 9000, .service = 20000, .arrival = 1};
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

TEST(Order, NobodyGoesBeforeItself) {
  const Claim c{.starved = 1s, .arrival = 1};
  EXPECT_FALSE(sooner(c, c));
}

TEST(Order, ALaneIsWorthTheServiceAheadTheWaitAndTheClass) {
  EXPECT_EQ(worth({}, {.service = 1000}, 2ms), 2s);
  EXPECT_EQ(worth({.starved = 3s, .service = 1000}, {}, 2ms), 3s);
  EXPECT_EQ(worth({.cls = Class::interactive}, {.cls = Class::agent}, 2ms), 2s);
  EXPECT_EQ(worth({.key_lead = 0}, {.key_lead = 500}, 2ms), 1s);
}

}  // namespace
}  // namespace sluice::engine
