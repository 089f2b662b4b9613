// What work on the served model costs, across processes and starts: finds what was kept of it, and writes what the
// worker says it learned. The worker may be killed at any time, and so may we: what was said last is written at once
// where limits::costs_interval has passed since, and at the end. Nothing depends on its being there. Refuses to know
// what costs are used for.
//
// Thread: core. Lifetime: its host's.
#pragma once

#include <optional>

#include "config/options.h"
#include "supervisor/worker_report.h"
#include "telemetry/log.h"
#include "tuning/cost_store.h"

namespace sluice::daemon {

class CostKeeper final {
 public:
  CostKeeper(const config::ServeOptions& options, telemetry::Log& log);

  // Once, before the worker starts, when it is decided what that is told: gives it the costs that were kept of it.
  // Where it is to measure first it is not known yet how it will run, and nothing is given.
  LoadOptions recall(LoadOptions load);
  void on_ready(const supervisor::WorkerReport& report);  // now it is
  void on_costs(const Costs& costs, TimePoint now);
  void write_rest();  // at the end

 private:
  void find(LoadOptions& load);
  void write();

  const std::string runtime_;
  telemetry::Log& log_;
  std::optional<tuning::CostStore> store_;  // none where there is no state folder
  LoadOptions load_;
  tuning::Key key_;
  std::optional<Costs> unwritten_;
  std::optional<TimePoint> written_at_;
  bool failed_ = false;  // and it was said
};

}  // namespace sluice::daemon
