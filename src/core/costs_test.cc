#include "core/costs.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/limits.h"

namespace sluice {
namespace {

Costs learned() {
  return {.prefill = {3000, 500, 120, 40},
          .decode = {9000, 800, 0, 7},
          .prefill_rows = 512,
          .copy = {700, 1},
          .export_token = {2, 3},
          .import_token = {0, 0}};
}

template <class Change>
bool possible_with(Change change) {
  Costs costs = learned();
  change(costs);
  return is_possible(costs);
}

TEST(Costs, WhatIsNotKnownAndWhatWasLearnedArePossible) {
  EXPECT_TRUE(is_possible(Costs{}));
  EXPECT_TRUE(is_possible(learned()));
}

TEST(Costs, WhatIsNoTimeOfAMachineIsImpossible) {
  for (const double us :
       {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 3.7e9}) {
    EXPECT_FALSE(possible_with([us](Costs& c) { c.prefill.pass_us = us; })) << us;
    EXPECT_FALSE(possible_with([us](Costs& c) { c.decode.row_us = us; })) << us;
    EXPECT_FALSE(possible_with([us](Costs& c) { c.decode.deep_row_us = us; })) << us;
    EXPECT_FALSE(possible_with([us](Costs& c) { c.copy.us = us; })) << us;
    EXPECT_FALSE(possible_with([us](Costs& c) { c.export_token.us = us; })) << us;
    EXPECT_FALSE(possible_with([us](Costs& c) { c.import_token.us = us; })) << us;
  }
}

TEST(Costs, NothingIsLearnedOfWorkThatTakesNoTime) {
  EXPECT_FALSE(possible_with([](Costs& c) { c.prefill = {0, 0, 0, 4}; }));
  EXPECT_FALSE(possible_with([](Costs& c) { c.prefill = {0, 1, 0, 0}; }));
  EXPECT_FALSE(possible_with([](Costs& c) { c.copy.us = 0; }));
  EXPECT_FALSE(possible_with([](Costs& c) { c.copy.samples = 0; }));
}

TEST(Costs, MoreRowsThanACallCanHaveAreImpossible) {
  EXPECT_FALSE(possible_with([](Costs& c) { c.prefill_rows = limits::batch_tokens_max + 1; }));
}

}  // namespace
}  // namespace sluice
