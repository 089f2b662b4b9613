#include "supervisor/tuning_message.h"

#include <algorithm>

#include "base/limits.h"

namespace sluice::supervisor {
namespace {

std::unexpected<Error> refuse(const char* what) {
  return fail(ErrorCode::protocol, std::string("a tuning ") + what, "tuning");
}

Duration from_wire(uint64_t us) { return std::chrono::microseconds(std::min<uint64_t>(us, UINT32_MAX)); }

TuningChoice choice_of(const proto::TuningChoice& message) { return {message.flash_attention(), message.threads()}; }

bool is_possible(const TuningChoice& choice) { return choice.threads >= 1 && choice.threads <= limits::threads_max; }

TuningCandidate candidate_of(const proto::TuningCandidate& message) {
  return {choice_of(message.choice()),
          {.prompt = from_wire(message.prompt_us()),
           .alone_shallow = from_wire(message.alone_shallow_us()),
           .full_shallow = from_wire(message.full_shallow_us()),
           .alone_deep = from_wire(message.alone_deep_us()),
           .full_deep = from_wire(message.full_deep_us())}};
}

}  // namespace

Result<Tuning> tuning_of(const proto::Tuning& message) {
  if (static_cast<size_t>(message.candidates_size()) > limits::tuning_candidates_max)
    return refuse("of too many kinds");
  if (message.remark().size() > limits::tuning_remark_bytes_max) return refuse("with too long a remark");
  Tuning tuning;
  tuning.choice = choice_of(message.choice());
  for (const proto::TuningCandidate& candidate : message.candidates())
    tuning.candidates.push_back(candidate_of(candidate));
  if (!is_possible(tuning.choice)) return refuse("with an impossible number of threads");
  for (const TuningCandidate& candidate : tuning.candidates)
    if (!is_possible(candidate.choice)) return refuse("of an impossible number of threads");
  if (!tuning.candidates.empty() && (message.lanes() == 0 || message.prompt_rows() == 0))
    return refuse("of no lanes or of no rows");
  tuning.lanes = message.lanes();
  tuning.prompt_rows = message.prompt_rows();
  tuning.shallow_tokens = message.shallow_tokens();
  tuning.deep_tokens = message.deep_tokens();
  tuning.took = from_wire(message.took_us());
  tuning.remark = message.remark();
  return tuning;
}

}  // namespace sluice::supervisor
