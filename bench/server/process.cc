#include "bench/server/process.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/limits.h"
#include "base/utf8.h"

namespace sluice::bench {
namespace {

constexpr int kCannotRun = 127;
constexpr Duration kProgramTimeMax = std::chrono::seconds(20);

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const Process::Environment& added) {
  std::vector<std::string> environment;
  const auto is_added = [&](std::string_view entry) {
    return std::ranges::any_of(added, [&](const auto& pair) { return entry.substr(0, entry.find('=')) == pair.first; });
  };
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!is_added(*entry)) environment.emplace_back(*entry);
  }
  for (const auto& [name, value] : added) environment.push_back(name + "=" + value);
  return environment;
}

// Between fork and exec: only async-signal-safe calls.
[[noreturn]] void become(char* const* argv, char* const* environment, int output, int status, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(kCannotRun);
  setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  execvpe(argv[0], argv, environment);
  const int error = errno;
  (void)!write(status, &error, sizeof error);
  _exit(kCannotRun);
}

// 0: its program runs. `status` is closed by exec.
int start_error(int status) {
  int error = 0;
  ssize_t got = 0;
  do {
    got = read(status, &error, sizeof error);
  } while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(sizeof error) ? error : 0;
}

std::unexpected<Error> system_error(const std::string& what, int error) {
  return fail(error == ENOENT || error == EACCES ? ErrorCode::not_found : ErrorCode::io, what + ": " + strerror(error));
}

}  // namespace

Result<Process> Process::start(const std::vector<std::string>& argv, const Environment& environment) {
  CHECK(!argv.empty());
  auto words = argv, settings = environment_with(environment);
  const auto word_pointers = pointers_to(words), setting_pointers = pointers_to(settings);
  int status[2];
  if (pipe2(status, O_CLOEXEC) != 0) return system_error("no pipe", errno);
  const int output = memfd_create("server output", MFD_CLOEXEC);
  if (output < 0) return system_error("no memory for a server's output", errno);
  fcntl(output, F_SETFL, O_APPEND);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) become(word_pointers.data(), setting_pointers.data(), output, status[1], parent);
  const int fork_error = errno;
  close(status[1]);
  const int error = pid < 0 ? fork_error : start_error(status[0]);
  close(status[0]);
  if (error == 0) return Process(pid, static_cast<int>(syscall(SYS_pidfd_open, pid, 0)), output);
  close(output);
  if (pid > 0) waitpid(pid, nullptr, 0);
  return system_error("cannot start " + argv.front(), error);
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      pidfd_(std::exchange(other.pidfd_, -1)),
      output_(std::exchange(other.output_, -1)),
      exit_(other.exit_) {}

Process& Process::operator=(Process&& other) noexcept {
  if (this == &other) return *this;
  close_all();
  pid_ = std::exchange(other.pid_, 0);
  pidfd_ = std::exchange(other.pidfd_, -1);
  output_ = std::exchange(other.output_, -1);
  exit_ = other.exit_;
  return *this;
}

Process::~Process() { close_all(); }

void Process::close_all() {
  if (pid_ != 0) end();
  if (pidfd_ >= 0) close(pidfd_);
  if (output_ >= 0) close(output_);
}

std::optional<Exit> Process::exited() {
  if (exit_ || pid_ == 0) return exit_;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
  exit_.emplace();
  if (WIFEXITED(status)) exit_->code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) exit_->signal = WTERMSIG(status);
  return exit_;
}

bool Process::wait(Duration time_max) {
  const TimePoint until = Clock::now() + time_max;
  while (!exited()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left <= 0) return false;
    pollfd ended{pidfd_, POLLIN, 0};
    poll(&ended, 1, static_cast<int>(left));
  }
  return true;
}

Exit Process::end() {
  if (!exited()) {
    kill(-pid_, SIGTERM);
    wait(limits::bench_end_time_max);
  }
  kill(-pid_, SIGKILL);  // what it left behind, and itself where it does not listen
  wait(limits::bench_end_time_max);
  CHECK(exit_);
  return *exit_;
}

std::string Process::read_output(off_t from, size_t count) const {
  std::string text(count, '\0');
  const ssize_t got = pread(output_, text.data(), count, from);
  text.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return replace_broken_utf8(text);
}

std::string Process::output() const {
  struct stat facts{};
  fstat(output_, &facts);
  const auto kept = std::min<off_t>(facts.st_size, limits::bench_output_tail_bytes_max);
  return read_output(facts.st_size - kept, static_cast<size_t>(kept));
}

std::string Process::first_output() const { return read_output(0, limits::bench_first_output_bytes_max); }

std::string output_of(const std::vector<std::string>& argv, const Process::Environment& environment) {
  auto process = Process::start(argv, environment);
  if (!process || !process->wait(kProgramTimeMax)) return {};
  return process->output();
}

uint16_t free_port() {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  CHECK(fd >= 0 && bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0);
  CHECK(getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  close(fd);
  return ntohs(address.sin_port);
}

}  // namespace sluice::bench
