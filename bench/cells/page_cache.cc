#include "bench/cells/page_cache.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace sluice::bench {
namespace {

class File final {
 public:
  explicit File(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat facts{};
    if (fd_ >= 0 && fstat(fd_, &facts) == 0) size_ = static_cast<size_t>(facts.st_size);
  }
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }
  size_t size() const { return size_; }

 private:
  int fd_;
  size_t size_ = 0;
};

}  // namespace

void read_into_cache(const std::string& path) {
  const File file(path);
  std::vector<char> space(1u << 20);
  while (read(file.fd(), space.data(), space.size()) > 0) {
  }
}

void drop_from_cache(const std::string& path) {
  const File file(path);
  fdatasync(file.fd());  // what is not written yet cannot be dropped
  posix_fadvise(file.fd(), 0, 0, POSIX_FADV_DONTNEED);
}

double cached_share(const std::string& path) {
  const File file(path);
  if (file.size() == 0) return 0;
  void* mapped = mmap(nullptr, file.size(), PROT_READ, MAP_SHARED, file.fd(), 0);
  if (mapped == MAP_FAILED) return 0;
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> pages((file.size() + page - 1) / page);
  const bool known = mincore(mapped, file.size(), pages.data()) == 0;
  munmap(mapped, file.size());
  const auto cached = std::ranges::count_if(pages, [](unsigned char flags) { return (flags & 1) != 0; });
  return known ? static_cast<double>(cached) / static_cast<double>(pages.size()) : 0;
}

}  // namespace sluice::bench
