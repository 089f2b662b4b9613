#include "runtime/tuning_score.h"

#include "base/check.h"

namespace sluice {

double mix_ms(const TuningFigures& figures, const Tuning& tuning) {
  CHECK(tuning.prompt_rows > 0 && tuning.lanes > 0);
  const double prompt = kMixPromptRows * to_ms(figures.prompt) / tuning.prompt_rows;
  const double alone = kMixTokensEach * to_ms(figures.alone_shallow + figures.alone_deep);
  const double beside = kMixTokensEach * to_ms(figures.full_shallow + figures.full_deep) / tuning.lanes;
  return prompt + alone + beside;
}

size_t best_of(std::span<const TuningCandidate> candidates, const Tuning& tuning) {
  CHECK(!candidates.empty());
  size_t best = 0;
  double to_beat = mix_ms(candidates.front().figures, tuning) * (1 - kTuningLeadMin);
  for (size_t i = 1; i < candidates.size(); ++i) {
    const double ms = mix_ms(candidates[i].figures, tuning);
    if (ms >= to_beat) continue;
    best = i;
    to_beat = ms;
  }
  return best;
}

}  // namespace sluice
