// Decides whether a running generation is worth moving to another sequence, so that the running ids become adjacent
// again and a decode call takes fewer passes. Refuses to know how the copy is made. Thread: any (pure).
//
// The copy is made when the passes it saves are worth twice its cost. The hole it fills may hold a cached prefix, which
// is lost then: an equally good hole that is empty is taken first, and the factor of two pays for the others.
#pragma once

#include <optional>
#include <span>

#include "engine/cost_model.h"
#include "engine/plan.h"
#include "engine/runner.h"
#include "engine/sequences.h"

namespace sluice::engine {

std::optional<CopyKv> choose_copy(const Sequences& sequences, std::span<const Runner> runners, const CostModel& costs);

}  // namespace sluice::engine
