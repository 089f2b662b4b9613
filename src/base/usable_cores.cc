#include "base/usable_cores.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace sluice {
namespace {

uint32_t cores_of_affinity() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<uint32_t>(std::max(1, CPU_COUNT(&set)));
}

// cgroup v2: "max 100000", or microseconds of CPU in each period. Threads beyond it would be stopped in the middle of a
// pass while the others spin for them.
uint32_t cores_of_quota() {
  std::ifstream in("/sys/fs/cgroup/cpu.max");
  double quota = 0, period = 0;
  if (!(in >> quota >> period) || quota <= 0 || period <= 0) return UINT32_MAX;
  return static_cast<uint32_t>(std::max(1.0, std::floor(quota / period)));
}

}  // namespace

uint32_t usable_cores() { return std::min(cores_of_affinity(), cores_of_quota()); }

}  // namespace sluice
