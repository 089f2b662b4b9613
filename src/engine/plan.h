// What the engine wants done next, as a value, and what came of it. A plan is applied once, by the worker's step loop:
// first the moves, then the calls in order. Refuses to know how. Thread: step.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "core/core.h"

namespace sluice::engine {

// KV bookkeeping before the calls.
struct DropKv {
  SequenceId seq;
};
struct TruncateKv {
  SequenceId seq;
  Position upto = 0;
};
struct CopyKv {
  SequenceId from, to;
  Position upto = 0;
};
// To host memory, under the generation's name, until it is imported or forgotten. The sequence stays as it is.
struct ExportKv {
  GenerationId generation;
  SequenceId seq;
  Position upto = 0;
};
// What was exported becomes the sequence's, and is no longer in host memory.
struct ImportKv {
  GenerationId generation;
  SequenceId seq;
  Position upto = 0;
};
struct ForgetKv {
  GenerationId generation;
};
using KvMove = std::variant<DropKv, TruncateKv, CopyKv, ExportKv, ImportKv, ForgetKv>;

// Tokens [first, first + tokens.size()) of one generation's sequence. `tokens` points into the engine and is valid
// until the next call of on_step_done, submit, cancel or finish.
struct PlannedFeed {
  GenerationId generation;
  SequenceId seq;
  Position first = 0;
  std::span<const Token> tokens;
  bool sample = false;  // the last row's logits choose the generation's next token
};

enum class CallKind : uint8_t { decode, prefill };

// One call of Runtime::step. Feeds are sorted by sequence id.
struct PlannedCall {
  CallKind kind = CallKind::decode;
  std::vector<PlannedFeed> feeds;
  Duration predicted{};
};

struct StepPlan {
  uint64_t step = 0;  // from 1; 0 in an empty plan
  std::vector<KvMove> moves;
  std::vector<PlannedCall> calls;
  Duration predicted{};  // of the whole step
  bool empty() const { return moves.empty() && calls.empty(); }
};

struct SampledToken {
  GenerationId generation;
  std::optional<Choice> choice;  // absent: no token of the row is possible
};

struct MoveResult {
  Result<void> outcome;
  Duration elapsed{};
};

struct ComputedSequence {
  SequenceId seq;
  Position computed = 0;
};

struct CallResult {
  Result<void> outcome;
  Duration elapsed{};  // of the runtime alone, without drawing tokens
  Duration drawing{};
  uint32_t passes = 0;
  std::vector<SampledToken> sampled;
  std::vector<ComputedSequence> computed;  // of every sequence in the call, asked afterwards
};

// One entry for each move and call that was carried out, in order; a failed move or a fatal call ends the list early.
struct StepResult {
  std::vector<MoveResult> moves;
  std::vector<CallResult> calls;
};

}  // namespace sluice::engine
