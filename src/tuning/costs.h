// Learned costs as they are kept: with what they are of. The engine that learned them predicts by rows, passes and
// depth, so lanes and window are not in the key; what changes how long a row takes is. Thread: any (values).
#pragma once

#include <cstdint>
#include <string>

#include "core/costs.h"
#include "tuning/key.h"

namespace sluice::tuning {

struct CostKey {
  Key of;
  std::string flash_attention;  // "on", "off", "auto"
  uint32_t threads = 0;         // 0: the runtime's choice
  uint32_t batch = 0, ubatch = 0;
  bool operator==(const CostKey&) const = default;
};

CostKey cost_key_of(Key key, const LoadOptions& load);
std::string cost_file_name(const CostKey& key);

struct StoredCosts {
  CostKey key;
  int64_t made = 0;  // Unix seconds
  Costs costs;
  bool operator==(const StoredCosts&) const = default;
};

}  // namespace sluice::tuning
