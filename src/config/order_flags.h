// The options of what goes first within a step and which class may hold how many lanes. Refuses to know what the engine
// makes of them. Thread: any.
#pragma once

#include "config/flags.h"
#include "runtime/load.h"

namespace sluice::config {

void declare_order(Flags& flags, LoadOptions& load);

}  // namespace sluice::config
