#include "tuning/store.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>
#include <vector>

#include "base/limits.h"
#include "tuning/format.h"

namespace sluice::tuning {
namespace fs = std::filesystem;
namespace {

std::unexpected<Error> io(const fs::path& path, const std::error_code& error) {
  return fail(ErrorCode::io, fmt::format("{}: {}", path.string(), error.message()));
}

std::error_code last_error() { return {errno, std::generic_category()}; }

// Absent where there is no such file. What is longer than any such file is read in part, and is then no such file.
Result<std::optional<std::string>> contents_of(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::string bytes(limits::tuning_file_bytes_max + 1, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file.is_open() || file.bad()) return io(path, last_error());
  bytes.resize(static_cast<size_t>(file.gcount()));
  return bytes;
}

// Two processes that write the same file do not meet in one temporary file.
Result<void> write_whole(const fs::path& path, const std::string& bytes) {
  const fs::path beside = fmt::format("{}.{}.new", path.string(), ::getpid());
  std::ofstream file(beside, std::ios::binary | std::ios::trunc);
  file << bytes;
  file.close();
  std::error_code error = file.fail() ? last_error() : std::error_code();
  if (!error) fs::rename(beside, path, error);
  if (!error) return {};
  std::error_code ignored;
  fs::remove(beside, ignored);
  return io(path, error);
}

template <class Read>
auto read_with(const fs::path& path, const std::string& bytes, Read read) {
  auto value = read(bytes);
  if (!value) value.error().message = fmt::format("{} is not used: {}", path.string(), value.error().message);
  return value;
}

struct Aged {
  fs::file_time_type at;
  fs::path path;
};

// What cannot be looked at or removed stays; the next to be kept tries again.
void remove_oldest(const fs::path& folder) {
  std::error_code error;
  std::vector<Aged> files;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".tuning") files.push_back({entry.last_write_time(error), entry.path()});
  if (files.size() <= limits::tuning_files_max) return;
  std::ranges::sort(files, {}, &Aged::at);
  files.resize(files.size() - limits::tuning_files_max);
  for (const Aged& file : files) fs::remove(file.path, error);
}

}  // namespace

Result<void> Store::prepare() const {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) return io(folder_, error);
  if (::access(folder_.c_str(), W_OK | X_OK) != 0) return io(folder_, last_error());
  return {};
}

Result<std::optional<Stored>> Store::find(const Key& key) const {
  const fs::path path = folder_ / tuning_file_name(key);
  const auto bytes = contents_of(path);
  if (!bytes) return std::unexpected(bytes.error());
  if (!*bytes) return std::nullopt;
  auto stored = read_with(path, **bytes, read_stored);
  if (!stored) return std::unexpected(std::move(stored.error()));
  if (stored->key != key) return fail(ErrorCode::invalid, path.string() + " is not used: it is of something else");
  return *std::move(stored);
}

Result<Pin> Store::pin_of(const Key& key) const {
  const fs::path path = folder_ / pin_file_name(key);
  const auto bytes = contents_of(path);
  if (!bytes) return std::unexpected(bytes.error());
  if (!*bytes) return Pin{};
  return read_with(path, **bytes, read_pin);
}

Result<void> Store::keep(const Stored& stored) const {
  if (auto prepared = prepare(); !prepared) return prepared;
  auto written = write_whole(folder_ / tuning_file_name(stored.key), write(stored));
  if (written) remove_oldest(folder_);
  return written;
}

Result<void> Store::pin(const Key& key, const Pin& pin) const {
  if (auto prepared = prepare(); !prepared) return prepared;
  return write_whole(folder_ / pin_file_name(key), write(pin));
}

Result<void> Store::unpin(const Key& key) const {
  std::error_code error;
  fs::remove(folder_ / pin_file_name(key), error);
  return error ? Result<void>(io(folder_ / pin_file_name(key), error)) : Result<void>{};
}

}  // namespace sluice::tuning
