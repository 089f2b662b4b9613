// Check: the prefill part of a step is predicted to take no longer than a chunk may, but for the smallest piece that
// there is: 3 rows (src/engine/cut.h). Where a call takes longer than that without any row, its rows may take as long
// again. Refuses to know how long it takes. Thread: any (pure).
#pragma once

#include "base/time.h"
#include "engine/plan.h"
#include "sim/verdict.h"

namespace sluice::sim {

// `call_cost`: what a call is taken to cost beside its rows.
void check_chunk(Duration chunk_time, Duration call_cost, const engine::StepPlan& plan, Verdict& verdict);

}  // namespace sluice::sim
