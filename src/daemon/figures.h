// What is counted while the daemon serves: rates and finishes as facts pass by, and everything else mirrored from its
// keeper when somebody asks. Refuses to know what asks. Thread: core. Lifetime: the daemon's.
#pragma once

#include <functional>
#include <string>

#include "admission/admission.h"
#include "api/backend.h"
#include "daemon/model_host.h"
#include "telemetry/rate_window.h"
#include "telemetry/serving_metrics.h"

namespace sluice::daemon {

class Figures final {
 public:
  Figures(const ModelHost& host, admission::Admission& admission, std::function<size_t()> connections);

  void observe(const telemetry::AccessEntry& entry) { metrics_.observe(entry); }
  // Of a generation of this class that was let in `submitted`.
  void observe(const api::Fact& fact, Class cls, TimePoint submitted, TimePoint now);

  void fill(api::StatusSnapshot& snapshot, TimePoint now) const;  // all but readiness and lanes
  std::string metrics_text(TimePoint now);

 private:
  void mirror_generations(TimePoint now);
  void mirror_live();
  void mirror_lanes(const supervisor::WorkerReport& report);
  void mirror_worker();
  void mirror_work(const proto::WorkerStats& stats);
  void mirror_processes();

  const ModelHost& host_;
  admission::Admission& admission_;
  std::function<size_t()> connections_;
  telemetry::Registry registry_;
  telemetry::ServingMetrics metrics_{registry_};
  telemetry::RateWindow completion_rate_;
};

}  // namespace sluice::daemon
