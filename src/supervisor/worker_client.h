// The daemon's side of one model's worker process: starts it, loads the model, carries Submit and Cancel in and facts
// out, watches that it lives and moves, and starts it again with back-off when it does not. Refuses to know what a
// generation is for; the owner (generation/) is told when a worker is lost, and decides what becomes of its work.
// Where the load asks for a tuning, it is made once: later processes are told the choice, or, where the first one died
// before it was ready, not to measure. So it is with costs: the next process is told what the last one said, and
// nothing where that one died before it had said anything.
//
// Thread: core. Lifetime: the daemon's. Callbacks run on core, never from within a call of this class.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "core/core.h"
#include "core/standing.h"
#include "proto/convert.h"
#include "runtime/load.h"
#include "supervisor/counts.h"
#include "supervisor/process_state.h"
#include "supervisor/timing.h"
#include "supervisor/worker_report.h"

namespace sluice::supervisor {

using WorkerState = ProcessState;

class WorkerClient final {
 public:
  struct Options {
    std::string executable;
    LoadOptions load;
    std::string expected_build;
    Duration load_max = limits::load_time_max;
    Duration look_max = limits::look_time_max;
    ProcessTiming timing;
    LivenessTiming liveness;
    std::function<void(std::string_view line)> on_stderr_line;  // may be empty; may not call this client
  };
  struct Events {  // all are set
    // Facts of all generations in one frame, in order; called once a frame that has any.
    std::function<void(std::vector<std::pair<GenerationId, proto::GenerationFact>>)> on_facts;
    std::function<void(WorkerState)> on_state;
    // The process is gone; every generation submitted to it and not ended is lost. `death` says how: its first line is
    // for everybody, what follows is the last of its stderr. on_state follows.
    std::function<void(Error death)> on_lost;
    std::function<void(float progress)> on_loading;
    std::function<void(const Costs&)> on_costs;  // what it has learned until now
  };

  WorkerClient(boost::asio::io_context& core, Options options, Events events);
  ~WorkerClient();
  WorkerClient(const WorkerClient&) = delete;
  WorkerClient& operator=(const WorkerClient&) = delete;

  void start();
  // Only in `ready`. The fact stream answers: Accepted or Failed first.
  void submit(GenerationId id, const GenerationSpec& spec);
  void cancel(GenerationId id);  // in any state; an unknown id is ignored
  // How the worker's generations stand, between two of its steps; nothing where it does not say so in time, dies, or
  // has no model. Behind the facts that the worker told before. One at a time: the next when it has called back.
  using LookDone = std::function<void(const std::optional<std::vector<Standing>>&)>;
  void look(LookDone done);
  // The worker ends after its last generation; on_state(stopped) tells. Before `ready` there is nothing to wait for: as
  // stop().
  void drain();
  void stop();  // kills it; nothing is called back for what is lost

  WorkerState state() const;
  const Error& load_error() const;  // in `failed`
  const WorkerReport& report() const;
  ProcessCounts counts() const;
  int pid() const;
  uint64_t resident_bytes() const;

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;  // with the callbacks the loop holds: these two own it
};

}  // namespace sluice::supervisor
