// Kept costs as bytes and back; docs/formats/costs.md describes them. Pure. Thread: any.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "tuning/costs.h"

namespace sluice::tuning {

inline constexpr int kCostFormatVersion = 1;

std::string write(const StoredCosts& stored);

// Error: invalid, with what is wrong; also where the costs are none that a machine has.
Result<StoredCosts> read_stored_costs(std::string_view bytes);

}  // namespace sluice::tuning
