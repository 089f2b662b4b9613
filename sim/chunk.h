// Check: the prefill part of a step is predicted to take no longer than a chunk may, but for the smallest piece that
// there is: 3 rows (src/engine/cut.h). Refuses to know how long it takes. Thread: any (pure).
#pragma once

#include "engine/config.h"
#include "engine/plan.h"
#include "sim/verdict.h"

namespace sluice::sim {

void check_chunk(const engine::EngineConfig& config, const engine::StepPlan& plan, Verdict& verdict);

}  // namespace sluice::sim
