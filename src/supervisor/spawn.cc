#include "supervisor/spawn.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include "proto/framing.h"
#include "supervisor/child_environment.h"

namespace sluice::supervisor {
namespace {

constexpr int kStatus = proto::kChildSocket + 1;  // closed by exec, so that our read of it ends
constexpr int kAboveTargets = 10;                 // descriptors the child starts from lie above those it makes of them

// The child's ends, as they are in the parent.
struct ChildEnds {
  UniqueFd null, socket, errors, status;
};
struct OurEnds {
  UniqueFd socket, errors, status;
};

std::unexpected<Error> system_failure(const std::string& what, int error, ErrorCode code = ErrorCode::io) {
  return fail(code, what + ": " + std::generic_category().message(error));
}

Result<UniqueFd> above_targets(UniqueFd fd) {
  UniqueFd moved(::fcntl(fd.get(), F_DUPFD_CLOEXEC, kAboveTargets));
  if (moved.get() < 0) return system_failure("cannot start a process: no descriptor", errno);
  return moved;
}

struct FdPair {
  UniqueFd ours, childs;
};

Result<FdPair> pair_of(int made, const int (&fds)[2]) {
  if (made != 0) return system_failure("cannot start a process: no descriptors", errno);
  FdPair pair{UniqueFd(fds[0]), {}};
  auto childs = above_targets(UniqueFd(fds[1]));
  if (!childs) return std::unexpected(std::move(childs.error()));
  pair.childs = std::move(*childs);
  return pair;
}

Result<FdPair> make_socket_pair() {
  int fds[2] = {-1, -1};
  return pair_of(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), fds);
}

Result<FdPair> make_pipe() {
  int fds[2] = {-1, -1};
  return pair_of(::pipe2(fds, O_CLOEXEC), fds);
}

Result<UniqueFd> open_null() {
  UniqueFd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (null.get() < 0) return system_failure("cannot open /dev/null", errno);
  return above_targets(std::move(null));
}

std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

// From here to exec only what is async-signal-safe: other threads' locks may be held for ever in this copy.

[[noreturn]] void report_errno_and_exit() {
  const int error = errno;
  (void)!::write(kStatus, &error, sizeof error);
  ::_exit(127);
}

bool take_descriptors(const ChildEnds& ends) {
  return ::dup2(ends.null.get(), 0) >= 0 && ::dup2(ends.null.get(), 1) >= 0 && ::dup2(ends.errors.get(), 2) >= 0 &&
         ::dup2(ends.socket.get(), proto::kChildSocket) >= 0 && ::close_range(kStatus + 1, ~0U, 0) == 0;
}

void reset_signals() {
  struct sigaction standard{};
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) ::sigaction(number, &standard, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void become_child(const ChildEnds& ends, pid_t parent, const char* path, char* const* arguments,
                               char* const* environment) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // it died before we asked to die with it
  if (::dup3(ends.status.get(), kStatus, O_CLOEXEC) < 0) ::_exit(127);
  ::setsid();  // Ctrl-C is the daemon's to handle: it drains
  if (!take_descriptors(ends)) report_errno_and_exit();
  reset_signals();
  ::execve(path, arguments, environment);
  report_errno_and_exit();
}

// Signals wait while we fork: a handler of ours must not run in the child.
pid_t fork_child(const ChildEnds& ends, const char* path, char* const* arguments, char* const* environment) {
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid == 0) become_child(ends, parent, path, arguments, environment);
  const int error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return pid;
}

// What kept the child from running its program; 0 where it runs.
int start_error(const UniqueFd& status) {
  int error = 0;
  ssize_t got = 0;
  do {
    got = ::read(status.get(), &error, sizeof error);
  } while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(sizeof error) ? error : 0;
}

void kill_and_reap(pid_t pid) {
  ::kill(pid, SIGKILL);
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

ErrorCode code_of_exec(int error) {
  const bool hopeless = error == ENOENT || error == EACCES || error == ENOEXEC || error == ENOTDIR || error == EISDIR;
  return hopeless ? ErrorCode::not_found : ErrorCode::io;
}

Result<Spawned> finish(const std::string& executable, pid_t pid, OurEnds ends) {
  if (const int error = start_error(ends.status); error != 0) {
    kill_and_reap(pid);
    return system_failure("cannot run " + executable, error, code_of_exec(error));
  }
  // glibc 2.36 declares pidfd_open() without C linkage.
  UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (pidfd.get() < 0) {
    const int error = errno;
    kill_and_reap(pid);
    return system_failure("cannot watch " + executable, error);
  }
  return Spawned{pid, std::move(pidfd), std::move(ends.socket), std::move(ends.errors)};
}

}  // namespace

Result<Spawned> spawn(const std::string& executable, const std::vector<std::string>& arguments) {
  auto null = open_null();
  if (!null) return std::unexpected(std::move(null.error()));
  auto socket = make_socket_pair();
  if (!socket) return std::unexpected(std::move(socket.error()));
  auto errors = make_pipe();
  if (!errors) return std::unexpected(std::move(errors.error()));
  auto status = make_pipe();
  if (!status) return std::unexpected(std::move(status.error()));

  std::vector<std::string> words{executable};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> environment = child_environment();
  pid_t pid = -1;
  {
    const ChildEnds childs{std::move(*null), std::move(socket->childs), std::move(errors->childs),
                           std::move(status->childs)};
    pid = fork_child(childs, executable.c_str(), pointers_to(words).data(), pointers_to(environment).data());
    if (pid < 0) return system_failure("cannot start a process", errno);
  }
  return finish(executable, pid, {std::move(socket->ours), std::move(errors->ours), std::move(status->ours)});
}

}  // namespace sluice::supervisor
