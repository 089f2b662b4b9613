#include "worker/output_lane.h"

#include <utility>

namespace sluice::worker {

OutputLane::OutputLane(std::vector<std::string> stop, bool wants_logprobs, TimePoint submitted)
    : text_(std::move(stop)), wants_logprobs_(wants_logprobs), submitted_(submitted) {}

void OutputLane::start(TimePoint now) { started_ = now; }

void OutputLane::add(const Choice& choice, bool is_end_token, const TokenBytes& bytes, TimePoint now) {
  if (stopped()) return;
  if (!first_token_) first_token_ = now;
  last_token_ = now;
  output_.tokens.push_back(choice.token);
  if (wants_logprobs_) add_logprob(choice, bytes);
  if (!is_end_token) add_text(bytes.bytes_of(choice.token));
}

void OutputLane::add_text(std::string_view bytes) {
  OutputText::Piece piece = text_.add(bytes);
  output_.text += piece.text;
  stop_string_ = std::move(piece.stop_string);
}

void OutputLane::add_logprob(const Choice& choice, const TokenBytes& bytes) {
  TokenLogprob logprob{choice.token, choice.logprob, std::string(bytes.bytes_of(choice.token)), {}};
  for (const TokenProb& top : choice.top) {
    logprob.top.push_back({top.token, top.logprob, std::string(bytes.bytes_of(top.token))});
  }
  output_.logprobs.push_back(std::move(logprob));
}

Finished OutputLane::finish(FinishReason reason, const Usage& usage) {
  if (!stopped()) output_.text += text_.flush();
  const FinishReason why = stopped() ? FinishReason::stop : reason;
  return {why, stop_string_.value_or(""), usage, timings()};
}

std::optional<Output> OutputLane::take_output() {
  if (output_.tokens.empty() && output_.text.empty()) return std::nullopt;
  return std::exchange(output_, {});
}

// A part that has not come takes no time.
Timings OutputLane::timings() const {
  Timings timings;
  if (started_) timings.queued = *started_ - submitted_;
  if (started_ && first_token_) timings.prefill = *first_token_ - *started_;
  if (first_token_) timings.decode = *last_token_ - *first_token_;
  return timings;
}

Timings OutputLane::timings_until(TimePoint now) const {
  Timings timings = this->timings();
  if (!started_) timings.queued = now - submitted_;
  if (started_ && !first_token_) timings.prefill = now - *started_;
  return timings;
}

}  // namespace sluice::worker
