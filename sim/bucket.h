// The engine's coarse measure of service and prompts (src/engine/order.cc): up to 511 tokens 0, then one more for each
// four times as many. Refuses to know what is measured. Thread: any (pure).
#pragma once

#include <bit>
#include <cstdint>

namespace sluice::sim {

constexpr uint64_t bucket(uint64_t tokens) {
  constexpr uint64_t kFirst = 512;
  return (static_cast<uint64_t>(std::bit_width(tokens / kFirst)) + 1) / 2;
}

}  // namespace sluice::sim
