// The simulator's own idea of the KV: every row that exists, in which sequence or in host memory, and how it was
// computed. Checks each move and feed against the rules of a runtime. Its next token is a function of all rows before
// it, so that a row fed wrongly gives another answer. Refuses to know the engine's bookkeeping. Thread: one at a time
// per object.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "engine/config.h"
#include "engine/plan.h"
#include "sim/verdict.h"

namespace sluice::sim {

struct Row {
  Token token = 0;
  bool alone = false;  // computed in a piece of one row
  uint64_t state = 0;  // a hash of all rows up to this one
};
using Rows = std::vector<Row>;

// Where `width_matters`, a row computed alone is another than the same row computed in a wider piece.
class RowMaker final {
 public:
  explicit RowMaker(bool width_matters) : width_matters_(width_matters) {}
  Row after(uint64_t state, Token token, bool alone) const;
  void extend(Rows& rows, std::span<const Token> piece, bool alone) const;

 private:
  bool width_matters_;
};
inline constexpr uint64_t kStateOfNoRows = 1;

class KvModel final {
 public:
  KvModel(const engine::EngineConfig& config, bool width_matters, Verdict& verdict);

  // Each is checked, then done; what is refused is not done.
  void carry_out(const engine::KvMove& move);
  void check(const engine::PlannedCall& call);
  // The state after the whole piece: of the row whose logits are asked for.
  uint64_t state_after(const engine::PlannedFeed& feed) const;
  void compute(const engine::PlannedFeed& feed, Position rows);  // the first `rows` of the piece
  void wipe(SequenceId seq);                                     // an aborted pass took what was there
  void poison(SequenceId seq);                                   // must be dropped before it is used

  const Rows& rows(SequenceId seq) const { return sequences_.at(index(seq)).rows; }
  bool is_poisoned(SequenceId seq) const { return sequences_.at(index(seq)).poisoned; }
  Position computed(SequenceId seq) const { return static_cast<Position>(rows(seq).size()); }
  uint32_t sequences() const { return static_cast<uint32_t>(sequences_.size()); }
  const std::map<uint64_t, Rows>& in_host_memory() const { return host_; }  // by generation

 private:
  struct Sequence {
    Rows rows;
    bool poisoned = false;
  };

  static size_t index(SequenceId seq) { return static_cast<size_t>(seq.raw); }
  void done(const engine::DropKv& move);
  void done(const engine::TruncateKv& move);
  void done(const engine::CopyKv& move);
  void done(const engine::ExportKv& move);
  void done(const engine::ImportKv& move);
  void done(const engine::ForgetKv& move);
  bool must(bool rule, const char* what, uint64_t of);
  bool usable(SequenceId seq);
  void check(const engine::PlannedFeed& feed);

  const engine::EngineConfig& config_;
  RowMaker maker_;
  Verdict& verdict_;
  std::vector<Sequence> sequences_;
  std::map<uint64_t, Rows> host_;
};

}  // namespace sluice::sim
