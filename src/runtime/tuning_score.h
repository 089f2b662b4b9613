// How much better one candidate of a tuning is than another: the time of a stated mix of work. Pure. Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/tuning.h"

namespace sluice {

// Tokens of an hour as agents and chats make it: half of what is answered beside others, half of it deep in a
// conversation, and a row of prompt for each token of answer, as most of a prompt is taken over from the turn before.
inline constexpr uint32_t kMixPromptRows = 256;
inline constexpr uint32_t kMixTokensEach = 64;  // alone and beside others, shallow and deep
// A lead that is less is within what a noisy machine gives and takes.
inline constexpr double kTuningLeadMin = 0.05;

// Milliseconds of the mix. `tuning` says what the figures are of.
double mix_ms(const TuningFigures& figures, const Tuning& tuning);

// Index of the best; of the first, the default, where none leads it by kTuningLeadMin. There is at least one.
size_t best_of(std::span<const TuningCandidate> candidates, const Tuning& tuning);

}  // namespace sluice
