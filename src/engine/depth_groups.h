// A pass attends, for all its rows, as deep as its deepest one. So where lanes are of very different depth, the deep
// ones decode in a pass of their own if that is predicted to be cheaper. Refuses to know who decodes. Thread: any
// (pure).
#pragma once

#include <vector>

#include "engine/cost_model.h"
#include "engine/plan.h"

namespace sluice::engine {

// `feeds`: a row each, sorted by sequence. One group, or a shallow and a deep one; each sorted by sequence.
std::vector<std::vector<PlannedFeed>> group_by_depth(std::vector<PlannedFeed> feeds, const CostModel& costs,
                                                     bool adjacent_ids_per_pass);

}  // namespace sluice::engine
