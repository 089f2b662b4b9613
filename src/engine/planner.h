// Builds the plan of one step as a value: cleaning of sequences, at most one copy, a decode call of every generation
// that lacks one row of its answer, then prefill calls while their predicted time lasts. Refuses to know who waits, and
// changes nothing. Thread: any (pure).
#pragma once

#include <vector>

#include "engine/config.h"
#include "engine/cost_model.h"
#include "engine/plan.h"
#include "engine/runner.h"
#include "engine/sequences.h"

namespace sluice::engine {

// `first`: moves to and from host memory that come before all others. `runners`: every running generation; those with
// an extent.computed below what their sequence holds get it cut. The plan's number is the caller's. Empty: there is
// nothing to do.
StepPlan plan_step(const EngineConfig& config, const CostModel& costs, const Sequences& sequences,
                   std::vector<KvMove> first, std::vector<Runner> runners, bool may_copy);

}  // namespace sluice::engine
