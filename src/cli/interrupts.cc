#include "cli/interrupts.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <thread>

#include "base/check.h"

namespace sluice::cli {
namespace {

sigset_t only_interrupt() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  return set;
}

}  // namespace

Interrupts::Interrupts() {
  const sigset_t set = only_interrupt();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  CHECK(signals_ >= 0);
}

Interrupts::~Interrupts() { close(signals_); }

void Interrupts::take() {
  signalfd_siginfo info{};
  while (read(signals_, &info, sizeof info) > 0) {
  }
}

void Interrupts::watch(std::stop_source& stop, int ended) {
  std::array<pollfd, 2> waited{pollfd{signals_, POLLIN, 0}, pollfd{ended, POLLIN, 0}};
  while (poll(waited.data(), waited.size(), -1) < 0) {
  }
  if ((waited[0].revents & POLLIN) == 0) return;
  take();
  stop.request_stop();
}

bool Interrupts::during(const std::function<void(std::stop_token)>& work) {
  const int ended = eventfd(0, EFD_CLOEXEC);
  CHECK(ended >= 0);
  std::stop_source stop;
  std::thread watcher([this, &stop, ended] { watch(stop, ended); });
  work(stop.get_token());
  eventfd_write(ended, 1);
  watcher.join();
  close(ended);
  return stop.stop_requested();
}

}  // namespace sluice::cli
