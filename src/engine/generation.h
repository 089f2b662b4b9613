// One live generation: what it was asked, the tokens it knows, where it is in its life. Refuses to know whose KV
// exists: that is the sequence's. Thread: step. Lifetime: from submit until it ends (roster.h owns it).
#pragma once

#include <optional>
#include <vector>

#include "core/core.h"
#include "engine/generation_state.h"
#include "engine/shares.h"

namespace sluice::engine {

// KV in host memory.
struct Parked {
  Position tokens = 0;
  Position wide_upto = 0;  // as in Sequence
};

class Generation final {
 public:
  Generation(GenerationId id, GenerationSpec spec, TimePoint submitted, uint64_t arrival);

  GenerationId id() const { return id_; }
  GenerationState state() const { return state_; }
  uint64_t arrival() const { return arrival_; }
  const SamplingParams& sampling() const { return spec_.sampling; }
  uint32_t choice() const { return spec_.choice; }
  bool ignores_end_tokens() const { return spec_.ignore_eos; }

  const std::vector<Token>& known() const { return known_; }
  uint32_t prompt_tokens() const { return prompt_tokens_; }
  uint32_t produced() const { return static_cast<uint32_t>(known_.size()) - prompt_tokens_; }
  uint32_t may_produce() const { return spec_.max_tokens - produced(); }
  Usage usage() const { return {prompt_tokens_, cached_tokens_, produced()}; }
  uint32_t cached_tokens() const { return cached_tokens_; }
  SequenceId sequence() const;  // while it runs, or is preempted and keeps it
  bool keeps_sequence() const { return seq_.has_value(); }
  const std::optional<Parked>& parked() const { return parked_; }
  Class cls() const { return spec_.cls; }
  uint32_t key() const { return spec_.key; }
  uint64_t session() const { return spec_.session; }
  bool is_overdue(TimePoint now) const { return deadline_ && *deadline_ <= now; }
  std::optional<Duration> time_left(TimePoint now) const;
  std::optional<Duration> lane_within() const { return spec_.lane_within; }
  uint64_t service() const { return service_; }
  Share& key_share() const { return *key_share_; }
  Share* session_share() const { return session_share_; }  // null: it names no session
  TimePoint starved_since() const { return starved_since_; }
  bool is_paused() const { return paused_; }  // was preempted, and got no row since

  void join(Share& key, Share* session);  // once, when it is let in; the roster's shares outlive it
  void start(SequenceId seq, uint32_t cached_tokens);
  void preempt(TimePoint now);
  void park(Parked parked);  // its KV leaves its sequence for host memory, or is nowhere where it had none
  void resume(SequenceId seq);
  void unpark() { parked_.reset(); }
  void move_to(SequenceId seq);
  void served(uint64_t weighted_tokens, TimePoint now);
  void forget_cached() { cached_tokens_ = 0; }  // what it took over was lost before it was used
  void add(Token token);
  void end();

 private:
  void enter(GenerationState next);

  GenerationId id_;
  GenerationSpec spec_;       // its prompt lives in known_
  std::vector<Token> known_;  // prompt and answer so far
  uint32_t prompt_tokens_ = 0;
  uint32_t cached_tokens_ = 0;
  uint64_t arrival_ = 0;  // counts submits
  GenerationState state_ = GenerationState::waiting;
  std::optional<SequenceId> seq_;
  std::optional<Parked> parked_;
  std::optional<TimePoint> deadline_;
  Share* key_share_ = nullptr;
  Share* session_share_ = nullptr;
  uint64_t service_ = 0;  // weighted tokens computed for it
  TimePoint starved_since_;
  bool paused_ = false;
};

}  // namespace sluice::engine
