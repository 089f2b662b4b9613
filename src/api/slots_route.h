// Those who ask for GET /slots. One look at the worker is under way at a time: whoever asks meanwhile gets its answer
// too, and that is written once, so that many who watch cost little more than one. Refuses to know what it says.
// Thread: core. Lifetime: the Api's.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "api/backend.h"
#include "api/call.h"
#include "api/slots.h"

namespace sluice::api {

class SlotsRoute final {
 public:
  SlotsRoute(Backend& backend, std::function<KeyLabels()> labels) : backend_(backend), labels_(std::move(labels)) {}
  void serve(CallPtr call);

 private:
  void tell(const LiveView& view);

  Backend& backend_;
  const std::function<KeyLabels()> labels_;
  std::vector<CallPtr> asking_;  // as many as there are connections
};

}  // namespace sluice::api
