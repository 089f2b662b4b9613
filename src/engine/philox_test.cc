#include "engine/philox.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "engine/sampler.h"

namespace sluice::engine {
namespace {

// The known answers of the Random123 distribution.
TEST(Philox, GivesTheKnownAnswers) {
  EXPECT_EQ(philox4x32_10({0, 0, 0, 0}, {0, 0}), (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32_10({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32_10({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// Answers that were begun must go on with the same draws, so this mapping does not change.
TEST(UniformDraw, HasTheSeedAsKeyAndPositionAndChoiceAsCounter) {
  const PhiloxCounter bits = philox4x32_10({5, 3, 0, 0}, {0x89ABCDEF, 0x01234567});
  const uint64_t wide = bits[0] | uint64_t{bits[1]} << 32;
  EXPECT_EQ(uniform_draw({0x0123456789ABCDEF, 3, 5}), static_cast<double>(wide >> 11) / 9007199254740992.0);
}

TEST(UniformDraw, TakesItsBitsFromTheFirstTwoWords) {
  EXPECT_EQ(uniform_draw({0, 0, 0}), static_cast<double>(0xe169c58d6627e8d5u >> 11) / 9007199254740992.0);
}

TEST(UniformDraw, IsTheSameForTheSameKeyAndWithinItsRange) {
  for (uint32_t position = 0; position < 10000; ++position) {
    const double draw = uniform_draw({7, 3, position});
    EXPECT_EQ(draw, uniform_draw({7, 3, position}));
    EXPECT_GE(draw, 0);
    EXPECT_LT(draw, 1);
  }
}

TEST(UniformDraw, SeedChoiceAndPositionAreNotMistakenForEachOther) {
  std::set<double> draws;
  for (uint64_t seed : {0ull, 1ull, 2ull, 1ull << 32, 2ull << 32}) {
    for (uint32_t choice = 0; choice < 16; ++choice) {
      for (uint32_t position = 0; position < 1000; ++position) draws.insert(uniform_draw({seed, choice, position}));
    }
  }
  EXPECT_EQ(draws.size(), 5u * 16 * 1000);
}

TEST(UniformDraw, IsUniform) {
  constexpr int kBins = 64, kDraws = 640000;
  int counts[kBins] = {};
  for (uint32_t position = 0; position < kDraws; ++position)
    ++counts[static_cast<int>(uniform_draw({99, 0, position}) * kBins)];
  double chi_square = 0;
  for (const int count : counts) chi_square += (count - 10000.0) * (count - 10000.0) / 10000.0;
  EXPECT_LT(chi_square, 63 + 5 * std::sqrt(2 * 63.0));
}

}  // namespace
}  // namespace sluice::engine
