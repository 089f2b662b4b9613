// All samples of a variant, as one line a row and figure: medians, ranges, intervals, and ratios against the first row.
// Pure. Thread: any.
#pragma once

#include <span>
#include <vector>

#include "bench/result/result.h"

namespace sluice::bench {

// In the order of rows, then with `primary` first. A row without a sample that counts has its primary figure with none.
std::vector<Summary> summarize(std::span<const Sample> samples, uint32_t rows, const std::string& primary,
                               uint64_t seed);

}  // namespace sluice::bench
