#include "tuning/table.h"

#include <fmt/format.h>

#include "runtime/tuning_score.h"

namespace sluice::tuning {
namespace {

double per_second(uint32_t tokens, Duration time) { return time > Duration{} ? tokens / to_seconds(time) : 0; }

std::string row_of(const TuningCandidate& candidate, const Tuning& tuning) {
  const TuningFigures& figures = candidate.figures;
  return fmt::format("  {:<15}  {:>7}  {:>6.0f}  {:>7.1f}  {:>6.1f}  {:>7.1f}  {:>6.1f}  {:>6.2f} s{}\n",
                     candidate.choice.flash_attention ? "on" : "off", candidate.choice.threads,
                     per_second(tuning.prompt_rows, figures.prompt), per_second(1, figures.alone_shallow),
                     per_second(1, figures.alone_deep), per_second(tuning.lanes, figures.full_shallow),
                     per_second(tuning.lanes, figures.full_deep), mix_ms(figures, tuning) / 1000,
                     candidate.choice == tuning.choice ? "  chosen" : "");
}

}  // namespace

std::string table_of(const Tuning& tuning) {
  if (tuning.candidates.empty()) return {};
  const std::string lanes = fmt::format("{} lane{}", tuning.lanes, tuning.lanes == 1 ? "" : "s");
  std::string table = fmt::format("  {:<15}  {:>7}  {:>6}  {:>15}  {:>15}\n", "tokens/s", "", "", "alone", lanes);
  table += fmt::format("  {:<15}  {:>7}  {:>6}  {:>7}  {:>6}  {:>7}  {:>6}  {:>8}\n", "flash attention", "threads",
                       "prompt", "shallow", "deep", "shallow", "deep", "the mix");
  for (const TuningCandidate& candidate : tuning.candidates) table += row_of(candidate, tuning);
  table += fmt::format(
      "shallow: after {} tokens, deep: after {}; prompt: {} rows. The mix: {} rows of a prompt and {} tokens of each "
      "kind.\n",
      tuning.shallow_tokens, tuning.deep_tokens, tuning.prompt_rows, kMixPromptRows, kMixTokensEach);
  return table;
}

}  // namespace sluice::tuning
