// What a result keeps of a request: times relative to its sample's start. Pure. Thread: any.
#pragma once

#include "bench/load/volley.h"
#include "bench/result/result.h"

namespace sluice::bench {

RequestFacts facts_of(const Asked& asked, TimePoint sample_begun);
uint64_t text_hash(std::string_view text);  // FNV-1a, 64 bits

}  // namespace sluice::bench
