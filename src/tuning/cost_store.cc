#include "tuning/cost_store.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "tuning/cost_format.h"
#include "tuning/files.h"

namespace sluice::tuning {

Result<std::optional<StoredCosts>> CostStore::find(const CostKey& key) const {
  const std::filesystem::path path = folder_ / cost_file_name(key);
  const auto bytes = contents_of(path, limits::cost_file_bytes_max);
  if (!bytes) return std::unexpected(bytes.error());
  if (!*bytes) return std::nullopt;
  const auto not_used = [&path](const std::string& why) {
    return fail(ErrorCode::invalid, fmt::format("{} is not used: {}", path.string(), why));
  };
  auto stored = read_stored_costs(**bytes);
  if (!stored) return not_used(stored.error().message);
  if (stored->key != key) return not_used("it is of something else");
  return *std::move(stored);
}

Result<void> CostStore::keep(const StoredCosts& stored) const {
  if (auto made = make_folder(folder_); !made) return made;
  auto written = write_whole(folder_ / cost_file_name(stored.key), write(stored));
  if (written) remove_oldest(folder_, ".costs", limits::cost_files_max);
  return written;
}

}  // namespace sluice::tuning
