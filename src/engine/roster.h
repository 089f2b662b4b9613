// All live generations: owned here, listed as waiting (in order of arrival) or running (in order of their start).
// Refuses to know sequences' contents and plans. Thread: step. Lifetime: the engine's.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "engine/generation.h"

namespace sluice::engine {

class Roster final {
 public:
  void add(GenerationId id, GenerationSpec&& spec, TimePoint now);
  Generation* find(GenerationId id);  // null: does not live
  const Generation* find(GenerationId id) const;
  Generation& at(GenerationId id);  // lives

  std::span<Generation* const> waiting() const { return waiting_; }
  std::span<Generation* const> running() const { return running_; }
  bool empty() const { return live_.empty(); }
  size_t size() const { return live_.size(); }

  Generation* next_to_start(TimePoint now) const;  // null: nobody waits
  void start(Generation& generation, SequenceId seq, uint32_t cached_tokens);
  void end(Generation& generation);  // destroys it

 private:
  std::unordered_map<GenerationId, Generation> live_;
  std::vector<Generation*> waiting_;
  std::vector<Generation*> running_;
  uint64_t arrivals_ = 0;
};

}  // namespace sluice::engine
