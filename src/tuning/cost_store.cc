#include "tuning/cost_store.h"

#include "base/limits.h"
#include "tuning/cost_format.h"
#include "tuning/find.h"

namespace sluice::tuning {

Result<std::optional<StoredCosts>> CostStore::find(const CostKey& key) const {
  return find_kept<StoredCosts>(folder_ / cost_file_name(key), limits::cost_file_bytes_max, key, read_stored_costs);
}

Result<void> CostStore::keep(const StoredCosts& stored) const {
  return keep_whole(folder_ / cost_file_name(stored.key), write(stored), limits::cost_files_max);
}

}  // namespace sluice::tuning
