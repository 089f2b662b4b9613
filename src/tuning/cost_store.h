// The folder of kept costs: a file each, named by what it is of. Refuses to know which are wanted, and when they are
// written. Thread: any; two daemons may share it, and the last to write a file wins.
#pragma once

#include <filesystem>
#include <optional>

#include "tuning/costs.h"

namespace sluice::tuning {

class CostStore final {
 public:
  explicit CostStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Absent: nothing is kept. Errors: invalid (a file that is not used; what is wrong with it), io.
  Result<std::optional<StoredCosts>> find(const CostKey& key) const;
  Result<void> keep(const StoredCosts& stored) const;  // of more than limits::cost_files_max, the oldest goes

 private:
  std::filesystem::path folder_;
};

}  // namespace sluice::tuning
