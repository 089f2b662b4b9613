#include "runtime/tuning_score.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace std::chrono_literals;

constexpr TuningFigures kPlain{
    .prompt = 512ms, .alone_shallow = 10ms, .full_shallow = 40ms, .alone_deep = 20ms, .full_deep = 80ms};

Tuning of_four_lanes(std::vector<TuningCandidate> candidates) {
  Tuning tuning;
  tuning.candidates = std::move(candidates);
  tuning.lanes = 4;
  tuning.prompt_rows = 256;
  return tuning;
}

TuningFigures faster_by(double part) {
  const auto scaled = [part](Duration time) { return from_us(to_ms(time) * 1000 * (1 - part)); };
  return {scaled(kPlain.prompt), scaled(kPlain.alone_shallow), scaled(kPlain.full_shallow), scaled(kPlain.alone_deep),
          scaled(kPlain.full_deep)};
}

size_t best_with(const TuningFigures& other) {
  const Tuning tuning = of_four_lanes({{{false, 2}, kPlain}, {{true, 2}, other}});
  return best_of(tuning.candidates, tuning);
}

TEST(TuningScore, TheMixCountsARowOfPromptForEachTokenOfAnswer) {
  // 256 rows of 2 ms, 64 tokens each of 10 and 20 ms alone, and of 40 and 80 ms for four.
  EXPECT_DOUBLE_EQ(mix_ms(kPlain, of_four_lanes({})), 512 + 64 * 10 + 64 * 20 + 64 * 10 + 64 * 20);
}

TEST(TuningScore, TheNumberOfRowsMeasuredDoesNotChangeTheMix) {
  Tuning half = of_four_lanes({});
  half.prompt_rows = 128;
  TuningFigures figures = kPlain;
  figures.prompt = kPlain.prompt / 2;
  EXPECT_DOUBLE_EQ(mix_ms(figures, half), mix_ms(kPlain, of_four_lanes({})));
}

TEST(TuningScore, ASmallLeadDoesNotMoveAwayFromTheDefault) {
  EXPECT_EQ(best_with(faster_by(0.04)), 0u);
  EXPECT_EQ(best_with(faster_by(-0.5)), 0u);
  EXPECT_EQ(best_with(kPlain), 0u);
}

TEST(TuningScore, AClearLeadDoes) { EXPECT_EQ(best_with(faster_by(0.06)), 1u); }

TEST(TuningScore, WhatIsSlowDeepLosesAlthoughItIsFasterShallow) {
  TuningFigures flash = kPlain;
  flash.alone_shallow = 9ms;
  flash.full_shallow = 36ms;
  flash.full_deep = 240ms;
  EXPECT_EQ(best_with(flash), 0u);
}

TEST(TuningScore, OfSeveralThatLeadTheBestIsTaken) {
  const Tuning tuning =
      of_four_lanes({{{false, 4}, kPlain}, {{false, 3}, faster_by(0.2)}, {{false, 2}, faster_by(0.1)}});
  EXPECT_EQ(best_of(tuning.candidates, tuning), 1u);
}

TEST(TuningScore, OneAloneIsTheBest) {
  const Tuning tuning = of_four_lanes({{{true, 2}, kPlain}});
  EXPECT_EQ(best_of(tuning.candidates, tuning), 0u);
}

}  // namespace
}  // namespace sluice
