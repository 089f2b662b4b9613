// How many threads a model may compute with, and the pool they live in. Refuses to know models. Thread: step.
#pragma once

#include <cstdint>

#include "adapters/llamacpp/handles.h"
#include "base/error.h"

namespace sluice::llamacpp {

// Cores this process may use: its affinity, and its control group's quota where there is one.
uint32_t usable_cores();

// A pool whose idle threads sleep: spinning between steps takes cores from everybody else. Error: fatal.
Result<ThreadpoolPtr> make_pool(uint32_t threads);

}  // namespace sluice::llamacpp
