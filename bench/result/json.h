// A RunResult as the bytes of its file (docs/formats/bench-result.md), and back. Refuses to know files. Thread: any.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "bench/result/result.h"

namespace sluice::bench {

std::string to_json(const RunResult& run);
// Error: invalid, with the place in words: no result of ours, another version, a field of another type, a row that is
// not there; too_large: over limits::bench_result_bytes_max. Fields of a name that this version lacks are skipped.
Result<RunResult> from_json(std::string_view bytes);

}  // namespace sluice::bench
