#include "cli/input.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace sluice::cli {

bool Input::is_terminal() const { return isatty(descriptor_) != 0; }

bool Input::read_more() {
  std::array<char, 4096> space;
  const ssize_t got = read(descriptor_, space.data(), space.size());
  if (got < 0) return errno == EINTR;
  unread_.append(space.data(), static_cast<size_t>(got));
  return got > 0;
}

Input::Next Input::next() {
  for (;;) {
    if (const size_t end = unread_.find('\n'); end != std::string::npos) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return line;
    }
    if (ended_) return unread_.empty() ? Next(End{}) : Next(std::exchange(unread_, {}));
    std::array<pollfd, 2> waited{pollfd{descriptor_, POLLIN, 0}, pollfd{interrupts_.descriptor(), POLLIN, 0}};
    if (poll(waited.data(), waited.size(), -1) < 0) continue;
    if ((waited[1].revents & POLLIN) != 0) {
      interrupts_.take();
      return Interrupted{};
    }
    ended_ = !read_more();
  }
}

}  // namespace sluice::cli
