// Arithmetic of sequence ids where a pass takes only consecutive ones: a set of ids costs one pass for each unbroken
// run. Refuses to know what the sequences hold. Thread: any (pure).
#pragma once

#include <bitset>
#include <cstdint>

#include "base/ids.h"
#include "base/limits.h"

namespace sluice::engine {

using IdSet = std::bitset<limits::sequences_max>;

uint32_t runs_of(const IdSet& ids);
IdSet first_run(const IdSet& ids);
IdSet last_run(const IdSet& ids);
SequenceId lowest(const IdSet& ids);   // of a set that is not empty
SequenceId highest(const IdSet& ids);  // of a set that is not empty
IdSet with(IdSet ids, SequenceId id);
IdSet without(IdSet ids, SequenceId id);
uint32_t distance(const IdSet& ids, SequenceId id);  // to the nearest member; 0 where there is none

}  // namespace sluice::engine
