// For tests: a runtime whose KV is a list of rows and whose next token is a hash of them. It fails the running test
// where a plan breaks the rules of Runtime. Where `width_matters`, a row computed alone differs from the same row
// computed in a wider piece, as on builds with separate kernels. Thread: the test's.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "engine/engine.h"

namespace sluice::engine {

// What a call or move comes to instead of succeeding.
struct Mishap {
  ErrorCode code = ErrorCode::fault;
  Position rows_done = 0;  // of each feed of an aborted call; -1: it drops what its sequences had before, too
  bool drawn = false;      // the aborted call had handed out logits: garbage where the row was not kept
};

class ToyRuntime final {
 public:
  ToyRuntime(EngineConfig config, bool width_matters);

  StepResult carry_out(const StepPlan& plan, const Engine& engine);

  // Scripts; absent: everything succeeds.
  std::function<std::optional<Mishap>(const PlannedCall&)> call_mishap;
  std::function<std::optional<Mishap>(const KvMove&)> move_mishap;
  std::function<bool(const PlannedFeed&)> without_token;  // its row has no token that is possible
  std::function<Duration(const PlannedCall&, uint32_t passes)> call_time;
  Duration copy_time = std::chrono::milliseconds(1);

  uint64_t rows_fed() const { return rows_fed_; }
  size_t parked() const { return parked_.size(); }

  // The answer to `spec` when it runs alone and undisturbed.
  static std::vector<Token> answer_alone(const EngineConfig& config, const GenerationSpec& spec, bool width_matters);

 private:
  struct Row {
    Token token = 0;
    uint64_t state = 0;  // hash of all rows up to this one
  };
  using Rows = std::vector<Row>;

  void add(Rows& rows, Token token, bool alone) const;
  Token next_token(const Rows& rows, std::span<const Token> forbidden) const;
  MoveResult carry_out(const KvMove& move);
  MoveResult carry_out(const ExportKv& move);
  MoveResult carry_out(const ImportKv& move);
  CallResult carry_out(const PlannedCall& call, const Engine& engine);
  void check(const PlannedCall& call) const;
  void suffer(const Mishap& mishap, const PlannedCall& call);
  SampledToken draw(const PlannedFeed& feed, const Rows& rows, const Engine& engine) const;
  void compute(const PlannedFeed& feed, Position rows);
  Rows& rows_of(SequenceId seq) { return sequences_.at(static_cast<size_t>(seq.raw)); }

  EngineConfig config_;
  bool width_matters_;
  std::vector<Rows> sequences_;
  std::map<uint64_t, Rows> parked_;  // by generation
  std::vector<bool> poisoned_;       // lost by a fault: must be dropped before it is used
  uint64_t rows_fed_ = 0;
};

}  // namespace sluice::engine
