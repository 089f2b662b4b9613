#include "daemon/machine.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <fstream>
#include <system_error>

#include "base/file_text.h"
#include "daemon/cgroup.h"

namespace sluice::daemon {

std::optional<uint64_t> parse_memory_available(std::string_view meminfo) {
  constexpr std::string_view kLabel = "MemAvailable:";
  const size_t label = meminfo.find(kLabel);
  if (label == std::string_view::npos) return std::nullopt;
  const size_t digits = meminfo.find_first_not_of(' ', label + kLabel.size());
  if (digits == std::string_view::npos) return std::nullopt;
  uint64_t kib = 0;
  const auto [end, error] = std::from_chars(meminfo.data() + digits, meminfo.data() + meminfo.size(), kib);
  if (error != std::errc{}) return std::nullopt;
  return kib * 1024;
}

Result<uint64_t> memory_available() {
  if (const std::optional<uint64_t> bytes = parse_memory_available(text_of_file("/proc/meminfo"))) {
    return std::min(*bytes, cgroup_memory_left("/sys/fs/cgroup", text_of_file("/proc/self/cgroup")).value_or(*bytes));
  }
  return fail(ErrorCode::io, "/proc/meminfo does not say MemAvailable; Linux 3.14 or later is needed");
}

uint64_t own_resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  uint64_t total_pages = 0, resident_pages = 0;
  statm >> total_pages >> resident_pages;
  return resident_pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

std::filesystem::path executable_folder() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
}

Result<std::string> worker_executable(const std::filesystem::path& folder, const std::string& runtime) {
  const std::string path = (folder / ("sluice-worker-" + runtime)).string();
  if (access(path.c_str(), X_OK) == 0) return path;
  const std::error_code why(errno, std::generic_category());
  return fail(ErrorCode::not_found, "cannot run " + path + " (" + why.message() + "); `make build` makes it",
              "--runtime");
}

void name_this_thread(const char* name) { prctl(PR_SET_NAME, name); }

void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

void ignore_broken_pipes() { std::signal(SIGPIPE, SIG_IGN); }

int64_t modification_time(const std::string& path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0 ? status.st_mtim.tv_sec : 0;
}

}  // namespace sluice::daemon
