// Owns one file descriptor. Thread: any one at a time.
#pragma once

#include <unistd.h>

#include <utility>

namespace sluice::supervisor {

class UniqueFd final {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(other.release()) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    reset(other.release());
    return *this;
  }
  ~UniqueFd() { reset(-1); }

  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  void reset(int fd) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }
  int fd_ = -1;
};

}  // namespace sluice::supervisor
