// What lives, of two sources: the daemon's generations, and what the worker said of them. Refuses to know how the
// worker was asked. Pure. Thread: core.
#pragma once

#include <optional>
#include <vector>

#include "api/live_view.h"
#include "generation/generations.h"

namespace sluice::daemon {

// Absent: the worker said nothing. Of a generation that came or went meanwhile the daemon's word holds.
using Word = std::optional<std::vector<Standing>>;

// Lanes and window are not filled.
api::LiveView live_view(const generation::Generations& generations, const Word& word, TimePoint now);

}  // namespace sluice::daemon
