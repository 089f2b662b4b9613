// All live generations of one model, from submit to their last fact. Keeps what continuing one on another worker will
// need: the spec, the seed, the tokens and text so far. Refuses to know HTTP, dialects and processes' ways to die.
// Pure: no clock, no socket, no log.
//
// Thread: core. Lifetime: the daemon's.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/core.h"
#include "generation/generation.h"
#include "proto/convert.h"

namespace sluice::generation {

// The worker as generations see it; supervisor::WorkerClient is behind it, a fake in tests. It never answers from
// within these calls.
class WorkerPort {
 public:
  virtual ~WorkerPort() = default;
  virtual bool ready() const = 0;
  virtual void submit(GenerationId id, const GenerationSpec& spec) = 0;
  virtual void cancel(GenerationId id) = 0;
};

struct GenerationCounts {
  uint32_t waiting = 0;  // not yet on a lane
  uint32_t running = 0;
  std::array<uint32_t, std::size(kClasses)> waiting_of{};  // by class
};

// Since the start. Tokens are counted as they happen, whatever becomes of their answer: prompt and cached tokens when a
// generation gets its lane, completion tokens when they are delivered.
struct Totals {
  uint64_t prompt_tokens = 0, cached_tokens = 0, completion_tokens = 0;
  uint64_t finished = 0, failed = 0, cancelled = 0;
  uint64_t refused = 0;  // by start(), or by the worker instead of accepting it
};

class Generations final {
 public:
  // Told every fact of its generation in order; after Finished or Failed, or after cancel(), it is never called again.
  // May call start() and cancel(), of any generation, and the counters.
  using Listener = std::function<void(const proto::GenerationFact&)>;

  // `queue_time`: how long a generation may wait for its lane.
  Generations(WorkerPort& worker, Duration queue_time);

  // Error (nothing started): overloaded, unavailable (draining, or the worker will not come back). `sampling.seed` must
  // be set already. The listener is never called from within.
  Result<GenerationId> start(GenerationSpec spec, TimePoint now, Listener listener);
  void cancel(GenerationId id);   // its client left; ended or unknown ids are ignored
  void wait_on(GenerationId id);  // its answer has begun with another one: it may wait as long as it takes

  // Facts of an unknown generation are dropped (it was cancelled). One that a generation cannot take fails it with
  // `protocol`.
  void on_facts(std::vector<std::pair<GenerationId, proto::GenerationFact>> facts);
  void on_worker_ready(TimePoint now);
  // Accepted and running ones fail with worker_lost. Waiting ones wait on, and so does, once, one that had not been
  // accepted: nothing of it has been delivered. The first line of `death` is for users.
  void on_worker_lost(const Error& death);
  void on_worker_failed(const Error& cause);       // it will not come back: everything fails
  void end_all(Error why);                         // everything fails with it, and start() from now on
  void on_tick(TimePoint now);                     // takes back what has waited too long
  std::optional<TimePoint> next_deadline() const;  // when on_tick is wanted
  void refuse_new();                               // draining: start() fails from now on

  GenerationCounts counts() const;
  // All that live, in order of arrival, for whoever watches; valid until something here changes.
  std::vector<std::pair<GenerationId, const Generation*>> live() const;
  const Totals& totals() const { return totals_; }
  bool idle() const { return live_.empty(); }

 private:
  struct Entry {
    Generation generation;
    Listener listener;
    std::optional<TimePoint> queue_ends;  // absent: it may wait on
  };
  // When one that has no lane is given up, and why.
  struct Due {
    TimePoint at;
    ErrorCode code;
  };
  // Shared with the frame that tells its listener a fact, so that a listener may cancel itself: these two own it.
  using EntryPtr = std::shared_ptr<Entry>;

  Result<void> may_start() const;
  void submit(GenerationId id, Entry& entry, TimePoint now);
  std::optional<Due> due(const Entry& entry) const;
  void take_back(GenerationId id, ErrorCode why);
  void on_fact(GenerationId id, const proto::GenerationFact& fact);
  void deliver(GenerationId id, const EntryPtr& entry, const proto::GenerationFact& fact);
  void count(const Generation& generation, GenerationState before, const proto::GenerationFact& fact);
  void fail(GenerationId id, Error error);
  std::vector<GenerationId> ids_in(bool (*wanted)(GenerationState)) const;

  WorkerPort& worker_;
  const Duration queue_time_;
  std::map<GenerationId, EntryPtr> live_;  // in order of arrival
  uint64_t last_id_ = 0;
  std::optional<Error> refusal_;  // why start() fails
  Totals totals_;
};

}  // namespace sluice::generation
