// The daemon's side of one model's worker process: starts it, loads the model, carries Submit and Cancel in and facts
// out, watches that it lives and moves, and starts it again with back-off when it does not. Refuses to know what a
// generation is for; the owner (generation/) is told when a worker is lost, and decides what becomes of its work.
//
// Thread: core. Lifetime: the daemon's. Callbacks run on core, never from within a call of this class.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/core.h"
#include "proto/convert.h"
#include "runtime/load.h"
#include "supervisor/codec_client.h"  // ProcessCounts

namespace sluice::supervisor {

enum class WorkerState : uint8_t {
  stopped,   // start() has not been called, or stop() has
  starting,  // spawned; no Hello yet
  loading,   // Load sent
  ready,
  draining,     // Drain sent; ends by itself
  backing_off,  // died; waits to be started again
  failed,       // cannot load: not tried again
};
std::string_view name_of(WorkerState state);
bool may_follow(WorkerState from, WorkerState to);

// What Ready said, and what the last Events frame counted.
struct WorkerReport {
  uint32_t lanes = 0;
  uint32_t window = 0;
  uint32_t vocabulary = 0;
  uint64_t weights_bytes = 0, kv_bytes = 0, compute_bytes = 0;
  std::vector<proto::Capability> capabilities;
  std::string runtime_version, system_info;
  Duration load_time{};
  uint32_t lanes_busy = 0, waiting = 0;
  uint64_t rows_prefill = 0, rows_decode = 0, calls = 0, passes = 0, tokens_cached = 0, steps = 0;
  Duration last_step{};
};

class WorkerClient final {
 public:
  struct Options {
    std::string executable;
    LoadOptions load;
    std::string expected_build;
  };
  struct Events {
    // Facts of all generations in one frame, in order; called once a frame.
    std::function<void(std::vector<std::pair<GenerationId, proto::GenerationFact>>)> on_facts;
    std::function<void(WorkerState)> on_state;
    // The process is gone; every generation submitted to it and not ended is lost. `death` says how, with the last of
    // its stderr.
    std::function<void(Error death)> on_lost;
    std::function<void(float progress)> on_loading;
  };

  WorkerClient(boost::asio::io_context& core, Options options, Events events);
  ~WorkerClient();

  void start();
  // Only in `ready`. The fact stream answers: Accepted or Failed first.
  void submit(GenerationId id, const GenerationSpec& spec);
  void cancel(GenerationId id);  // in any state; an unknown id is ignored
  void drain();                  // the worker ends after its last generation; on_state(stopped) tells
  void stop();                   // kills it; nothing is called back for what is lost

  WorkerState state() const;
  const Error& load_error() const;  // in `failed`
  const WorkerReport& report() const;
  ProcessCounts counts() const;
  int pid() const;
  uint64_t resident_bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sluice::supervisor
