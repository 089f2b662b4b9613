#include "generation/generation.h"

#include "base/check.h"

namespace sluice::generation {
namespace {
constexpr uint32_t kSubmitsMax = 2;

Result<void> breach(std::string words) { return sluice::fail(ErrorCode::protocol, std::move(words)); }
}  // namespace

Generation::Generation(GenerationSpec spec, TimePoint arrived) : spec_(std::move(spec)), arrived_(arrived) {
  if (spec_.time_left) deadline_ = arrived + *spec_.time_left;
}

// A worker is told what is left by then.
void Generation::submitted(TimePoint now) {
  if (deadline_) spec_.time_left = *deadline_ - now;
  enter(GenerationState::submitted);
  ++submits_;
}

bool Generation::may_be_submitted_again() const {
  return state_ == GenerationState::submitted && submits_ < kSubmitsMax;
}

void Generation::wait_again() {
  CHECK(may_be_submitted_again());
  enter(GenerationState::waiting_for_worker);
}

void Generation::fail() { enter(GenerationState::ended); }

Result<void> Generation::apply(const proto::GenerationFact& fact) {
  return std::visit([this](const auto& what) { return on(what); }, fact);
}

Result<void> Generation::on(const Accepted&) {
  if (state_ != GenerationState::submitted) return out_of_order("accepted");
  enter(GenerationState::accepted);
  return {};
}

Result<void> Generation::on(const Started& started) {
  if (state_ != GenerationState::accepted) return out_of_order("started");
  if (started.cached_tokens > spec_.prompt.size()) {
    return breach("the worker took over more cached tokens than the prompt has");
  }
  enter(GenerationState::running);
  return {};
}

Result<void> Generation::on(const Output& output) {
  if (state_ != GenerationState::running) return out_of_order("output");
  if (output.tokens.size() > spec_.max_tokens - produced_.size()) {
    return breach("the worker produced more tokens than were asked for");
  }
  produced_.insert(produced_.end(), output.tokens.begin(), output.tokens.end());
  delivered_text_ += output.text;
  return {};
}

// Its time may be over before it has a lane.
Result<void> Generation::on(const Finished& finished) {
  const bool unstarted = state_ == GenerationState::accepted && finished.reason == FinishReason::deadline;
  if (state_ != GenerationState::running && !unstarted) return out_of_order("finished");
  enter(GenerationState::ended);
  return {};
}

// Before `accepted` it is a refusal.
Result<void> Generation::on(const Failed&) {
  if (state_ == GenerationState::waiting_for_worker) return out_of_order("failed");
  enter(GenerationState::ended);
  return {};
}

Result<void> Generation::out_of_order(std::string_view fact) const {
  return breach("the worker said '" + std::string(fact) + "' of a generation that is " + std::string(name_of(state_)));
}

void Generation::enter(GenerationState next) {
  CHECK(may_follow(state_, next));
  state_ = next;
}

}  // namespace sluice::generation
