// What a result says of the machine it was measured on. Refuses to know servers. Thread: any.
#pragma once

#include "bench/result/result.h"

namespace sluice::bench {

MachineFacts read_machine();  // without the bandwidth
double load_of_one_minute();

// Bytes a second that all cores together read from memory, the best of a few passes over a buffer that no cache holds.
// Takes about a second.
double measure_read_bandwidth(uint32_t cores);

}  // namespace sluice::bench
