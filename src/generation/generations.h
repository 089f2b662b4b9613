// All live generations of one model, from submit to their last fact. Keeps what continuing one on another worker will
// need: the spec, the seed, the tokens and text so far. Refuses to know HTTP, dialects and processes' ways to die.
//
// Thread: core. Lifetime: the daemon's.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>

#include "core/core.h"
#include "proto/convert.h"

namespace sluice::generation {

enum class GenerationState : uint8_t {
  waiting_for_worker,  // the worker starts or restarts; bounded by limits::ready_wait_max
  submitted,           // sent, not yet accepted
  accepted,            // in the worker's queue
  running,             // has a lane
  ended,               // finished or failed; its listener has been told
};
std::string_view name_of(GenerationState state);
bool may_follow(GenerationState from, GenerationState to);

// The worker as generations see it; supervisor::WorkerClient is behind it, a fake in tests.
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
};

struct Totals {
  uint64_t prompt_tokens = 0, cached_tokens = 0, completion_tokens = 0;
  uint64_t finished = 0, failed = 0, cancelled = 0, refused = 0;
};

class Generations final {
 public:
  // Told every fact of its generation in order; after Finished or Failed, or after cancel(), it is never called again.
  // May call start() and cancel().
  using Listener = std::function<void(const proto::GenerationFact&)>;

  explicit Generations(WorkerPort& worker);
  ~Generations();

  // Error (nothing started): overloaded, unavailable (draining). `sampling.seed` must be set already.
  Result<GenerationId> start(GenerationSpec spec, TimePoint now, Listener listener);
  void cancel(GenerationId id);  // its client left; ended or unknown ids are ignored

  void on_facts(std::vector<std::pair<GenerationId, proto::GenerationFact>> facts);
  void on_worker_ready();
  void on_worker_lost(const Error& death);         // submitted ones fail with worker_lost; waiting ones wait on
  void on_worker_failed(const Error& cause);       // it will not come back: everything fails
  void on_tick(TimePoint now);                     // fails what has waited longer than limits::ready_wait_max
  std::optional<TimePoint> next_deadline() const;  // when on_tick is wanted
  void refuse_new();                               // draining: start() fails from now on

  GenerationCounts counts() const;
  const Totals& totals() const;
  bool idle() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sluice::generation
