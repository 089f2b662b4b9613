// Which settings the worker is told, and what becomes of what it measures: reads and writes the state folder, and says
// it in the log. What cannot be kept is not measured, as the next start might choose otherwise. Refuses to know
// processes.
//
// Thread: core. Lifetime: its host's.
#pragma once

#include <optional>

#include "config/options.h"
#include "supervisor/worker_report.h"
#include "telemetry/log.h"
#include "tuning/decide.h"
#include "tuning/store.h"

namespace sluice::daemon {

class TuningKeeper final {
 public:
  TuningKeeper(const config::ServeOptions& options, telemetry::Log& log);

  // Once, before the worker starts.
  LoadOptions decide(LoadOptions load);
  // At each Ready.
  void on_ready(const supervisor::WorkerReport& report);

 private:
  tuning::Pin pin_of(const tuning::Key& key);
  std::optional<tuning::Stored> stored_of(const tuning::Key& key);
  void keep(const Tuning& tuning, const std::string& runtime_version);
  LoadOptions untuned(const LoadOptions& load, const std::string& why);

  const config::TuneMode mode_;
  const std::string runtime_;
  telemetry::Log& log_;
  std::optional<tuning::Store> store_;  // none where there is no state folder
  tuning::Key key_;
  std::optional<tuning::Decided> decided_;  // none: the runtime's defaults
};

}  // namespace sluice::daemon
