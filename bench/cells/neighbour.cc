#include "bench/cells/neighbour.h"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <utility>

namespace sluice::bench {
namespace {

[[noreturn]] void compute(uint64_t* rounds, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  uint64_t state = 1;
  for (;;) {
    for (int i = 0; i < 10'000; ++i) state = state * 6364136223846793005u + 1442695040888963407u;
    std::atomic_ref(rounds[0]).fetch_add(1 + (state == 0), std::memory_order_relaxed);
  }
}

}  // namespace

Result<Neighbour> Neighbour::start() {
  void* shared = mmap(nullptr, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return fail(ErrorCode::io, std::string("no shared memory: ") + strerror(errno));
  auto* rounds = static_cast<uint64_t*>(shared);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) compute(rounds, parent);
  if (pid > 0) return Neighbour(pid, rounds);
  munmap(shared, sizeof(uint64_t));
  return fail(ErrorCode::io, std::string("cannot fork: ") + strerror(errno));
}

Neighbour::Neighbour(Neighbour&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)), rounds_(std::exchange(other.rounds_, nullptr)) {}

Neighbour::~Neighbour() {
  if (pid_ == 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  munmap(rounds_, sizeof(uint64_t));
}

uint64_t Neighbour::rounds() const { return std::atomic_ref(*rounds_).load(std::memory_order_relaxed); }

Result<double> neighbours_pace_alone(Duration time) {
  const auto neighbour = Neighbour::start();
  if (!neighbour) return std::unexpected(neighbour.error());
  const TimePoint begun = Clock::now();
  const uint64_t before = neighbour->rounds();
  poll(nullptr, 0, static_cast<int>(to_ms(time)));
  return static_cast<double>(neighbour->rounds() - before) / to_seconds(Clock::now() - begun);
}

}  // namespace sluice::bench
