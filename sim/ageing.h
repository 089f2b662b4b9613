// The engine's coarse measures of service, prompts and leads, and how who gets nothing moves up past them
// (src/engine/order.cc). Refuses to know what is measured. Thread: any (pure).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/time.h"

namespace sluice::sim {

// Up to 511 tokens 0, then one more for each four times as many.
constexpr uint64_t bucket(uint64_t tokens) {
  constexpr uint64_t kFirst = 512;
  return (static_cast<uint64_t>(std::bit_width(tokens / kFirst)) + 1) / 2;
}

constexpr uint64_t kQuantum = 256, kQuantaMax = 8;
constexpr uint64_t lead_level(uint64_t lead) { return std::min(lead / kQuantum, kQuantaMax); }

// One level, of each kind and of class, for as much time without a row.
constexpr Duration kStep = std::chrono::seconds(10), kPausedStep = std::chrono::milliseconds(1500);

}  // namespace sluice::sim
