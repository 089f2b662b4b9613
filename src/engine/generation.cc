#include "engine/generation.h"

#include <utility>

#include "base/check.h"

namespace sluice::engine {

Generation::Generation(GenerationId id, GenerationSpec spec, TimePoint submitted, uint64_t arrival)
    : id_(id),
      spec_(std::move(spec)),
      known_(std::exchange(spec_.prompt, {})),
      prompt_tokens_(static_cast<uint32_t>(known_.size())),
      arrival_(arrival),
      starved_since_(submitted) {
  CHECK(prompt_tokens_ > 0);
  if (spec_.time_left) deadline_ = submitted + *spec_.time_left;
}

void Generation::join(Share& key, Share* session) {
  key_share_ = &key;
  session_share_ = session;
}

std::optional<Duration> Generation::time_left(TimePoint now) const {
  return deadline_ ? std::optional(*deadline_ - now) : std::nullopt;
}

SequenceId Generation::sequence() const {
  CHECK(seq_.has_value());
  return *seq_;
}

void Generation::start(SequenceId seq, uint32_t cached_tokens) {
  CHECK(state_ == GenerationState::waiting && cached_tokens < prompt_tokens_);
  enter(GenerationState::running);
  seq_ = seq;
  cached_tokens_ = cached_tokens;
}

// Whoever got a row in its lane begins to starve now; who got none goes on to.
void Generation::preempt(TimePoint now) {
  enter(GenerationState::preempted);
  if (!paused_) starved_since_ = now;
  paused_ = true;
}

void Generation::park(Parked parked) {
  CHECK(state_ == GenerationState::preempted && seq_);
  seq_.reset();
  if (parked.tokens > 0) parked_ = parked;
}

void Generation::resume(SequenceId seq) {
  CHECK(state_ == GenerationState::preempted && (!seq_ || *seq_ == seq));
  enter(GenerationState::running);
  seq_ = seq;
}

void Generation::served(uint64_t weighted_tokens, TimePoint now) {
  service_ += weighted_tokens;
  starved_since_ = now;
  paused_ = false;
}

void Generation::move_to(SequenceId seq) {
  CHECK(state_ == GenerationState::running);
  seq_ = seq;
}

void Generation::add(Token token) {
  CHECK(state_ == GenerationState::running && may_produce() > 0);
  known_.push_back(token);
}

void Generation::end() {
  enter(GenerationState::ended);
  seq_.reset();
}

void Generation::enter(GenerationState next) {
  CHECK(may_follow(state_, next));
  state_ = next;
}

}  // namespace sluice::engine
