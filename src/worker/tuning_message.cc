#include "worker/tuning_message.h"

#include <algorithm>

#include "base/check.h"
#include "base/limits.h"
#include "base/utf8.h"

namespace sluice::worker {
namespace {

void put(const TuningChoice& choice, proto::TuningChoice& message) {
  message.set_flash_attention(choice.flash_attention);
  message.set_threads(choice.threads);
}

void put(const TuningCandidate& candidate, proto::TuningCandidate& message) {
  put(candidate.choice, *message.mutable_choice());
  message.set_prompt_us(us_of(candidate.figures.prompt));
  message.set_alone_shallow_us(us_of(candidate.figures.alone_shallow));
  message.set_full_shallow_us(us_of(candidate.figures.full_shallow));
  message.set_alone_deep_us(us_of(candidate.figures.alone_deep));
  message.set_full_deep_us(us_of(candidate.figures.full_deep));
}

}  // namespace

proto::Tuning tuning_message(const Tuning& tuning) {
  CHECK(tuning.candidates.size() <= limits::tuning_candidates_max);
  proto::Tuning message;
  put(tuning.choice, *message.mutable_choice());
  for (const TuningCandidate& candidate : tuning.candidates) put(candidate, *message.add_candidates());
  message.set_lanes(tuning.lanes);
  message.set_prompt_rows(tuning.prompt_rows);
  message.set_shallow_tokens(tuning.shallow_tokens);
  message.set_deep_tokens(tuning.deep_tokens);
  message.set_took_us(us_of(tuning.took));
  message.set_remark(replace_broken_utf8(tuning.remark.substr(0, limits::tuning_remark_bytes_max)));
  return message;
}

}  // namespace sluice::worker
