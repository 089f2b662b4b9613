#include "tuning/files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>
#include <vector>

namespace sluice::tuning {
namespace fs = std::filesystem;
namespace {

std::unexpected<Error> io(const fs::path& path, const std::error_code& error) {
  return fail(ErrorCode::io, fmt::format("{}: {}", path.string(), error.message()));
}

std::error_code last_error() { return {errno, std::generic_category()}; }

struct Aged {
  fs::file_time_type at;
  fs::path path;
};

void remove_oldest(const fs::path& folder, const fs::path& extension, size_t files_max) {
  std::error_code error;
  std::vector<Aged> files;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == extension) files.push_back({entry.last_write_time(error), entry.path()});
  if (files.size() <= files_max) return;
  std::ranges::sort(files, {}, &Aged::at);
  files.resize(files.size() - files_max);
  for (const Aged& file : files) fs::remove(file.path, error);
}

}  // namespace

Result<void> make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return io(folder, error);
  if (::access(folder.c_str(), W_OK | X_OK) != 0) return io(folder, last_error());
  return {};
}

Result<std::optional<std::string>> contents_of(const fs::path& path, size_t bytes_max) {
  std::error_code error;
  if (!fs::exists(path, error)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::string bytes(bytes_max + 1, '\0');
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

Result<void> keep_whole(const fs::path& path, const std::string& bytes, size_t files_max) {
  if (auto made = make_folder(path.parent_path()); !made) return made;
  std::error_code error;
  const bool is_new = !fs::exists(path, error);
  auto written = write_whole(path, bytes);
  if (written && is_new) remove_oldest(path.parent_path(), path.extension(), files_max);
  return written;
}

}  // namespace sluice::tuning
