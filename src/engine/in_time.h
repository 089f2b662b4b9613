// Whether a newcomer that is let in only where it has a chance to begin in time (GenerationSpec::refuse_late) has one.
// It has none where even a machine twice as fast as measured would be late for the least that goes before it; as long
// as little was measured, everybody has one. Refuses to know lanes' holders and plans. Pure. Thread: any.
#pragma once

#include "engine/config.h"
#include "engine/cost_model.h"
#include "engine/roster.h"
#include "engine/sequences.h"

namespace sluice::engine {

// `newcomer` is in the roster already, and waits. Errors: timed_out (its own prompt takes longer than it has),
// key_queue_too_long (but for others of its key it would be in time), queue_too_long; the latter with a time after
// which it would have a chance.
Result<void> check_in_time(const Generation& newcomer, const Roster& roster, const Sequences& sequences,
                           const CostModel& costs, const EngineConfig& config, TimePoint now);

}  // namespace sluice::engine
