// What a kept process has been through. Thread: any (values).
#pragma once

#include <cstdint>

namespace sluice::supervisor {

struct ProcessCounts {
  uint64_t starts = 0;
  uint64_t deaths = 0;  // not asked for
};

}  // namespace sluice::supervisor
