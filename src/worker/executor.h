// Carries out one plan of the engine against a runtime: first the moves, then the calls, drawing a token from each row
// of logits as it comes. Measures, decides nothing. Refuses to know generations beyond what sampling needs.
// Thread: step.
#pragma once

#include <unordered_map>

#include "engine/engine.h"
#include "engine/sampler.h"
#include "runtime/runtime.h"

namespace sluice::worker {

// KV in host memory, by the generation it is of. Owner: the executor.
using HostKv = std::unordered_map<GenerationId, Snapshot>;

class Executor final {
 public:
  Executor(Runtime& runtime, const engine::Engine& engine);

  // A failed move or a fatal call ends the list early.
  engine::StepResult execute(const engine::StepPlan& plan);

 private:
  engine::MoveResult move(const engine::KvMove& move);
  engine::CallResult call(const engine::PlannedCall& call);
  LogitsWanted logits_of(const engine::PlannedFeed& feed) const;

  Runtime& runtime_;
  const engine::Engine& engine_;
  engine::Sampler sampler_;
  HostKv parked_;
  std::vector<Feed> feeds_;  // reused
};

// The fatal error of a step that was carried out, if any.
const Error* fatal_error(const engine::StepResult& result);

}  // namespace sluice::worker
