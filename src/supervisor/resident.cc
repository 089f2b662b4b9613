#include "supervisor/resident.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "supervisor/unique_fd.h"

namespace sluice::supervisor {

uint64_t resident_bytes_of(pid_t pid) {
  const std::string path = "/proc/" + std::to_string(pid) + "/statm";
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char text[128] = {};
  if (file.get() < 0 || ::read(file.get(), text, sizeof text - 1) <= 0) return 0;
  unsigned long long total = 0, resident = 0;  // pages
  if (std::sscanf(text, "%llu %llu", &total, &resident) != 2) return 0;
  return resident * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace sluice::supervisor
