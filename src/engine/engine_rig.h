// For tests: an engine and a toy runtime with the step loop between them, and all that the engine said. Checks the
// engine's invariants after every event. Thread: the test's.
#pragma once

#include <map>
#include <numeric>
#include <optional>
#include <vector>

#include "engine/engine.h"
#include "engine/toy_runtime.h"

namespace sluice::engine {

struct FeedSeen {
  uint64_t generation = 0;
  int32_t seq = 0;
  Position first = 0;
  size_t rows = 0;
  bool sample = false;
  bool operator==(const FeedSeen&) const = default;
};

struct CallSeen {
  CallKind kind = CallKind::decode;
  std::vector<FeedSeen> feeds;
  Duration predicted{};
};

// A plan as it was, without pointers into the engine.
struct StepSeen {
  uint64_t step = 0;
  std::vector<KvMove> moves;
  std::vector<CallSeen> calls;
  Duration predicted{};
  std::vector<CallSeen> of(CallKind kind) const;
  std::vector<size_t> prefill_rows() const;  // of each prefill call
};

struct Told {
  std::optional<uint32_t> started_with;  // cached tokens
  std::vector<Token> answer;
  std::vector<bool> is_end_token;
  std::optional<GenerationFinishedFact> finished;
  std::optional<Error> failed;
};

// lanes 4, window 256, vocabulary 1000, end token 0.
EngineConfig small_config();
std::vector<Token> tokens(Token first, size_t count);  // first, first + 1, ...
GenerationSpec asking(std::vector<Token> prompt, uint32_t max_tokens = 8);

struct Rig {
  explicit Rig(EngineConfig config = small_config(), bool width_matters = false);

  Result<void> submit(uint64_t id, GenerationSpec spec);
  void must_submit(uint64_t id, GenerationSpec spec);
  void cancel(uint64_t id);
  void finish(uint64_t id, FinishReason reason);
  StepSeen step();  // plan, carry out, report, acknowledge
  StepSeen step_unacknowledged();
  void run_until_idle(int steps_max = 10000);
  void run(uint64_t id, GenerationSpec spec) {  // submits it and waits for all
    must_submit(id, std::move(spec));
    run_until_idle();
  }
  Told& told(uint64_t id) { return all_told[id]; }

  EngineConfig config;
  Engine engine;
  ToyRuntime runtime;
  TimePoint now;
  std::map<uint64_t, Told> all_told;
  std::vector<uint64_t> start_order;

 private:
  void listen();
};

}  // namespace sluice::engine
