// The pool of threads that a model computes with. Refuses to know models. Thread: step.
#pragma once

#include <cstdint>

#include "adapters/llamacpp/handles.h"
#include "base/error.h"

namespace sluice::llamacpp {

// A pool whose idle threads sleep: spinning between steps takes cores from everybody else. Error: fatal.
Result<ThreadpoolPtr> make_pool(uint32_t threads);

}  // namespace sluice::llamacpp
