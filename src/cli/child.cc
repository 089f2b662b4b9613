#include "cli/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace sluice::cli {
namespace {

constexpr int kCannotRun = 127;  // as a shell says it

// Between fork and exec: only async-signal-safe calls.
[[noreturn]] void become(char* const* arguments, int output, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(kCannotRun);  // it died before the line above
  setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  execv(arguments[0], arguments);
  _exit(kCannotRun);
}

}  // namespace

Result<Child> Child::start(std::vector<std::string> arguments) {
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return fail(ErrorCode::io, std::string("no pipe: ") + strerror(errno));
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) become(words.data(), ends[1], parent);
  const int error = errno;
  close(ends[1]);
  if (pid > 0) return Child(pid, ends[0]);
  close(ends[0]);
  return fail(ErrorCode::io, "cannot start " + arguments.front() + ": " + strerror(error));
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      output_(std::exchange(other.output_, -1)),
      unread_(std::move(other.unread_)) {}

Child::~Child() {
  if (output_ >= 0) close(output_);
  if (pid_ != 0) end();
}

bool Child::read_more() {
  std::array<char, 4096> space;
  ssize_t got = 0;
  do {
    got = read(output_, space.data(), space.size());
  } while (got < 0 && errno == EINTR);
  if (got > 0) unread_.append(space.data(), static_cast<size_t>(got));
  return got > 0;
}

std::optional<std::string> Child::read_line() {
  for (;;) {
    if (const size_t end = unread_.find('\n'); end != std::string::npos) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return line;
    }
    if (!read_more()) return std::nullopt;
  }
}

std::string Child::read_all() {
  while (read_more()) {
  }
  return std::exchange(unread_, {});
}

int Child::end() {
  kill(pid_, SIGTERM);
  return wait();
}

int Child::wait() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace sluice::cli
