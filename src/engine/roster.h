// All live generations: owned here, listed as waiting (in order of arrival), running or preempted, with what their keys
// and sessions got. Refuses to know sequences' contents and plans. Thread: step. Lifetime: the engine's.
#pragma once

#include <array>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/generation.h"
#include "engine/order.h"
#include "engine/shares.h"

namespace sluice::engine {

class Roster final {
 public:
  void add(GenerationId id, GenerationSpec&& spec, TimePoint now);
  Generation* find(GenerationId id);  // null: does not live
  const Generation* find(GenerationId id) const;
  Generation& at(GenerationId id);  // lives

  std::span<Generation* const> waiting() const { return waiting_; }
  std::span<Generation* const> running() const { return running_; }
  std::span<Generation* const> preempted() const { return preempted_; }
  bool empty() const { return live_.empty(); }
  size_t size() const { return live_.size(); }
  uint32_t running_of(Class cls) const { return running_of_[static_cast<size_t>(cls)]; }

  // `prompt_left`: rows of its prompt that are not computed.
  Claim claim_of(const Generation& generation, uint64_t prompt_left, TimePoint now) const;

  void start(Generation& generation, SequenceId seq, uint32_t cached_tokens);
  void preempt(Generation& generation, const Generation& newcomer, TimePoint now);  // who gets its lane
  void resume(Generation& generation, SequenceId seq);
  void serve(Generation& generation, uint64_t weighted_tokens, TimePoint now);
  void end(Generation& generation);  // destroys it

 private:
  Sharer session_of(const Generation& generation) const;
  void change_running(const Generation& generation, int by);

  std::unordered_map<GenerationId, Generation> live_;
  std::vector<Generation*> waiting_;
  std::vector<Generation*> running_;
  std::vector<Generation*> preempted_;
  std::array<uint32_t, std::size(kClasses)> running_of_{};
  Shares keys_, sessions_;
  uint64_t arrivals_ = 0;
};

}  // namespace sluice::engine
