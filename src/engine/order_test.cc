#include "engine/order.h"

#include <gtest/gtest.h>

namespace sluice::engine {
namespace {

using namespace std::chrono_literals;

TEST(Order, TheLongestWaitGoesFirst) {
  EXPECT_TRUE(sooner({.waited = 2s, .arrival = 9}, {.waited = 1s, .arrival = 1}));
  EXPECT_FALSE(sooner({.waited = 1s, .arrival = 1}, {.waited = 2s, .arrival = 9}));
}

TEST(Order, EqualWaitsGoByArrival) {
  EXPECT_TRUE(sooner({.waited = 1s, .arrival = 1}, {.waited = 1s, .arrival = 2}));
  EXPECT_FALSE(sooner({.waited = 1s, .arrival = 2}, {.waited = 1s, .arrival = 1}));
}

TEST(Order, NobodyGoesBeforeItself) {
  const Standing c{.waited = 1s, .arrival = 1};
  EXPECT_FALSE(sooner(c, c));
}

}  // namespace
}  // namespace sluice::engine
