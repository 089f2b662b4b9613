#include "tuning/store.h"

#include <fmt/format.h>

#include <system_error>

#include "base/limits.h"
#include "tuning/files.h"
#include "tuning/find.h"
#include "tuning/format.h"

namespace sluice::tuning {
namespace fs = std::filesystem;

Result<void> Store::prepare() const { return make_folder(folder_); }

Result<std::optional<Stored>> Store::find(const Key& key) const {
  return find_kept<Stored>(folder_ / tuning_file_name(key), limits::tuning_file_bytes_max, key, read_stored);
}

Result<Pin> Store::pin_of(const Key& key) const {
  const fs::path path = folder_ / pin_file_name(key);
  const auto bytes = contents_of(path, limits::tuning_file_bytes_max);
  if (!bytes) return std::unexpected(bytes.error());
  if (!*bytes) return Pin{};
  return read_with(path, **bytes, read_pin);
}

Result<void> Store::keep(const Stored& stored) const {
  return keep_whole(folder_ / tuning_file_name(stored.key), write(stored), limits::tuning_files_max);
}

Result<void> Store::pin(const Key& key, const Pin& pin) const {
  if (auto prepared = prepare(); !prepared) return prepared;
  return write_whole(folder_ / pin_file_name(key), write(pin));
}

Result<void> Store::unpin(const Key& key) const {
  const fs::path path = folder_ / pin_file_name(key);
  std::error_code error;
  fs::remove(path, error);
  if (!error) return {};
  return fail(ErrorCode::io, fmt::format("{}: {}", path.string(), error.message()));
}

}  // namespace sluice::tuning
