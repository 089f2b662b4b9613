// How long the engine plans with 64 lanes and 1,000 generations waiting: figures, no verdict. Refuses to know
// scenarios. Thread: the caller's.
#pragma once

#include <string>

namespace sluice::sim {

std::string plan_time_text();

}  // namespace sluice::sim
