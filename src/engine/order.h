// Who of the waiting generations gets the next free lane: a comparison of values. What the order weighs is a field of
// Standing; the longest wait goes first. Refuses to know lanes and generations. Thread: any (pure).
#pragma once

#include <cstdint>

#include "base/time.h"

namespace sluice::engine {

struct Standing {
  Duration waited{};
  uint64_t arrival = 0;  // number of its submit: decides between equal waits
};

// A strict weak order: a gets a lane sooner than b.
bool sooner(const Standing& a, const Standing& b);

}  // namespace sluice::engine
