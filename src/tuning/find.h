// What is kept under a key, found in its file: it is used only where it can be read and is of that key. Thread: any.
#pragma once

#include <fmt/format.h>

#include "tuning/files.h"

namespace sluice::tuning {

template <class Read>
auto read_with(const std::filesystem::path& path, const std::string& bytes, Read read) {
  auto value = read(bytes);
  if (!value) value.error().message = fmt::format("{} is not used: {}", path.string(), value.error().message);
  return value;
}

// Absent where there is no such file. Errors: io; invalid, with the file and why it is not used.
template <class Stored, class Key, class Read>
Result<std::optional<Stored>> find_kept(const std::filesystem::path& path, size_t bytes_max, const Key& key,
                                        Read read) {
  const auto bytes = contents_of(path, bytes_max);
  if (!bytes) return std::unexpected(bytes.error());
  if (!*bytes) return std::nullopt;
  auto stored = read_with(path, **bytes, read);
  if (!stored) return std::unexpected(std::move(stored.error()));
  if (stored->key != key) return fail(ErrorCode::invalid, path.string() + " is not used: it is of something else");
  return *std::move(stored);
}

}  // namespace sluice::tuning
