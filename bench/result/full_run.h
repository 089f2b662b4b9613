// A small result in which every field has a value, for tests. Refuses to be likely. Thread: any.
#pragma once

#include "bench/result/result.h"

namespace sluice::bench::result {

RunResult full_run();

}  // namespace sluice::bench::result
