// Who may wait: how many generations, and how long. Refuses to know who counts them. Thread: any (values).
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

#include "base/limits.h"
#include "core/core.h"

namespace sluice::config {

// How many generations may live, waiting or running, and how long one may wait.
struct QueueLimits {
  uint32_t total = limits::live_generations_max;
  std::array<std::optional<uint32_t>, std::size(kClasses)> by_class;  // absent: `total` alone bounds the class
  uint32_t by_key = limits::live_generations_max;                     // of one API key
  std::chrono::milliseconds time = limits::queue_time_default;
};

}  // namespace sluice::config
