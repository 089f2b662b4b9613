// The rules a feed must keep (runtime.h), checked before anything is computed, so that a step that is refused has
// changed nothing. Every adapter may use it. Refuses to know how tokens are stored. Thread: any.
#pragma once

#include <functional>
#include <span>

#include "runtime/runtime.h"

namespace sluice {

Result<void> check_feeds(std::span<const Feed> feeds, const Capabilities& capabilities,
                         const std::function<Position(SequenceId)>& computed);

// invalid where there is no such sequence.
Result<void> check_sequence(SequenceId seq, const Capabilities& capabilities);

}  // namespace sluice
