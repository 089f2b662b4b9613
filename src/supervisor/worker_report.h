// What a worker's Ready said, and what its last Events frame counted. Counters are since this worker's load.
// Thread: any (values).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "proto/sluice.pb.h"
#include "runtime/tuning.h"

namespace sluice::supervisor {

struct WorkerReport {
  uint32_t lanes = 0;
  uint32_t window = 0;
  uint32_t vocabulary = 0;
  uint64_t weights_bytes = 0, kv_bytes = 0, compute_bytes = 0;
  std::vector<proto::Capability> capabilities;
  std::string runtime_version, system_info;
  Duration load_time{};
  std::optional<Tuning> tuning;  // made at this load
  uint32_t lanes_busy = 0;
  proto::WorkerStats stats;  // of the last frame
  uint64_t steps = 0;
  Duration last_step{};
};

}  // namespace sluice::supervisor
