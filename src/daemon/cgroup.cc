#include "daemon/cgroup.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace sluice::daemon {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kNoLimit = uint64_t{1} << 60;  // version 1 writes "none" as a number beyond any memory

// Names of the files that hold the same things in the two versions.
struct Files {
  const char* limit;
  const char* used;
  std::string_view labels;  // of what can be dropped begin so in memory.stat
};
constexpr Files kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_"};
constexpr Files kVersion2{"memory.max", "memory.current", ""};

// Absent for a file that is not there, and for "max".
std::optional<uint64_t> number_in(const fs::path& file) {
  std::ifstream stream(file);
  uint64_t value = 0;
  return stream >> value ? std::optional(value) : std::nullopt;
}

// Pages of files, a model's among them.
uint64_t droppable_in(const fs::path& group, std::string_view labels) {
  std::ifstream stream(group / "memory.stat");
  uint64_t sum = 0, bytes = 0;
  for (std::string label; stream >> label >> bytes;) {
    if (!label.starts_with(labels)) continue;
    const std::string_view name = std::string_view(label).substr(labels.size());
    if (name == "inactive_file" || name == "active_file") sum += bytes;
  }
  return sum;
}

std::optional<uint64_t> left_in(const fs::path& group, const Files& files) {
  const auto limit = number_in(group / files.limit);
  if (!limit || *limit >= kNoLimit) return std::nullopt;
  const uint64_t used = number_in(group / files.used).value_or(0);
  const uint64_t kept = used - std::min(used, droppable_in(group, files.labels));
  return *limit - std::min(*limit, kept);
}

// A group's limit binds all groups in it. Seen from inside a container our path may not exist: the mount is our group.
std::optional<uint64_t> least_left(const fs::path& mount, std::string_view path, const Files& files) {
  std::optional<uint64_t> least;
  fs::path group = mount / fs::path(path).relative_path();
  for (;;) {
    if (const auto left = left_in(group, files)) least = std::min(least.value_or(*left), *left);
    if (group == mount || !group.has_relative_path() || group.parent_path() == group) return least;
    group = group.parent_path();
  }
}

}  // namespace

std::optional<uint64_t> cgroup_memory_left(const fs::path& root, std::string_view self) {
  std::istringstream lines{std::string(self)};
  std::optional<uint64_t> least;
  const auto take = [&](std::optional<uint64_t> left) {
    if (left) least = std::min(least.value_or(*left), *left);
  };
  for (std::string line; std::getline(lines, line);) {  // "0::/path" or "4:memory:/path"
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1), path = line.substr(second + 1);
    if (controllers.empty()) take(least_left(root, path, kVersion2));
    if (controllers == "memory") take(least_left(root / "memory", path, kVersion1));
  }
  return least;
}

}  // namespace sluice::daemon
