// What the runtime does by itself: one sequence, fed and drawn from without engine, worker or daemon in between. The
// figures that sluice is measured against, and answers whose KV was moved on the way. Refuses to know servers.
// Thread: one at a time.
#pragma once

#include <vector>

#include "core/core.h"
#include "engine/sampler.h"
#include "runtime/runtime.h"

namespace sluice::bench {

enum class Moves : uint8_t {
  none,
  copied,    // to another sequence, in the middle of the prompt and after every few tokens
  imported,  // the same, as an exported sequence that is imported again
};

struct BareAnswer {
  std::vector<Token> tokens;
  Duration first{}, total{};  // since the prompt was there: to the first token, to the last
};

class BareLoop final {
 public:
  // At least two sequences where anything is to be moved.
  explicit BareLoop(Runtime& runtime) : runtime_(runtime), sampler_(runtime.capabilities().vocabulary) {}

  // `tokens` tokens after the prompt, never an end token. Every sequence is empty afterwards.
  Result<BareAnswer> answer(std::span<const Token> prompt, const SamplingParams& sampling, uint32_t tokens,
                            Moves moves);

 private:
  Result<void> feed(std::span<const Token> known, size_t upto);
  Result<void> move(Moves moves);
  Result<void> move_by_import(SequenceId to);

  Runtime& runtime_;
  engine::Sampler sampler_;
  SequenceId seq_{0};
  std::vector<float> row_;  // the last one that was asked for
};

}  // namespace sluice::bench
