// How many cores this process may use: its affinity, and its control group's quota where there is one. Thread: any.
#pragma once

#include <cstdint>

namespace sluice {

uint32_t usable_cores();

}  // namespace sluice
