// The runtime's sequences as the engine believes them to be: whose tokens' KV each holds, which generation holds it,
// when it was last let go. Refuses to know plans: what it says changes when something has happened in the runtime.
// Thread: step. Lifetime: the engine's.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/core.h"
#include "engine/adjacency.h"

namespace sluice::engine {

struct Sequence {
  std::vector<Token> tokens;           // whose KV exists, in order
  Position wide_upto = 0;              // of these, the leading ones that were computed in pieces of two rows or more
  std::optional<GenerationId> holder;  // absent: empty, or cached for a later prompt
  uint64_t last_use = 0;               // counts releases; 0: never held
  bool lost = false;                   // nobody knows what the runtime has here: to be dropped before it is used

  Position computed() const { return static_cast<Position>(tokens.size()); }
  bool is_cached() const { return !holder && !tokens.empty(); }
};

class Sequences final {
 public:
  explicit Sequences(uint32_t count);

  uint32_t size() const { return static_cast<uint32_t>(all_.size()); }
  const Sequence& at(SequenceId seq) const;
  std::span<const Sequence> all() const { return all_; }  // the index is the id
  IdSet held() const;
  bool any_free() const;
  std::optional<SequenceId> least_recently_used() const;  // of the cached ones

  void hold(SequenceId seq, GenerationId holder);
  void release(SequenceId seq);                               // keeps its KV
  void append(SequenceId seq, std::span<const Token> piece);  // computed in one piece
  void cut(SequenceId seq, Position upto);
  void clear(SequenceId seq);
  void lose(SequenceId seq);
  void copy(SequenceId from, SequenceId to, Position upto);
  void fill(SequenceId seq, std::span<const Token> tokens, Position wide_upto);  // instead of what it held

 private:
  Sequence& mutable_at(SequenceId seq);
  std::vector<Sequence> all_;
  uint64_t releases_ = 0;
};

}  // namespace sluice::engine
