// A synthetic, realistic result of five servers, the same every time: for tests of pages, and for looking at one.
// Refuses to be a measurement. Thread: any.
#pragma once

#include "bench/result/result.h"

namespace sluice::bench::report {

RunResult sample_run();

}  // namespace sluice::bench::report
