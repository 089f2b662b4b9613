// How a runtime of given capabilities cuts one call into passes. Refuses to know what a pass computes. Thread: any.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/runtime.h"

namespace sluice {

struct PassShare {
  size_t feed = 0;  // index into the call's feeds
  size_t rows = 0;
};
using Pass = std::vector<PassShare>;

// Every row of every feed is in exactly one pass, a feed's rows in order.
std::vector<Pass> split_into_passes(std::span<const Feed> feeds, const Capabilities& capabilities);

}  // namespace sluice
