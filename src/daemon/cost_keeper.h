// What work on the served model costs, across processes and starts: finds what was kept of it, and writes what the
// worker says it learned. The worker may be killed at any time, and so may we: what is said is written at once, but
// where less than an interval has passed since the last writing; then at the end of that. Nothing depends on its being
// there. Refuses to know what costs are used for.
//
// Thread: core. Lifetime: its host's.
#pragma once

#include <boost/asio/io_context.hpp>
#include <optional>

#include "config/options.h"
#include "supervisor/alarm.h"
#include "supervisor/worker_report.h"
#include "telemetry/log.h"
#include "tuning/cost_store.h"

namespace sluice::daemon {

class CostKeeper final {
 public:
  CostKeeper(boost::asio::io_context& core, const config::ServeOptions& options, telemetry::Log& log,
             Duration interval);

  // Once, before the worker starts, when it is decided what that is told: gives it the costs that were kept of it.
  // Where it is to measure first it is not known yet how it will run, and nothing is given.
  LoadOptions recall(LoadOptions load);
  void on_ready(const supervisor::WorkerReport& report);  // now it is
  void on_costs(const Costs& costs);
  void write_rest();  // at the end

 private:
  void find(LoadOptions& load);
  void write_at_pace();
  void write();

  const std::string runtime_;
  telemetry::Log& log_;
  std::optional<tuning::CostStore> store_;  // none where there is no state folder
  LoadOptions load_;
  tuning::Key key_;
  std::optional<Costs> unwritten_;
  const Duration interval_;
  supervisor::Alarm alarm_;  // of the interval's end
  bool pausing_ = false;     // within it
  bool failed_ = false;      // and it was said
};

}  // namespace sluice::daemon
