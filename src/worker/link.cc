#include "worker/link.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/check.h"
#include "base/limits.h"

namespace sluice::worker {
namespace {

constexpr size_t kReadBytes = 64u << 10;

Ending protocol_error(std::string message) { return {Error{ErrorCode::protocol, std::move(message), {}}}; }

}  // namespace

Link::Link(int socket, std::function<void()> on_stuck)
    : socket_(socket),
      bell_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      on_stuck_(std::move(on_stuck)),
      outbox_(socket) {
  CHECK(bell_ >= 0);
  thread_ = std::thread([this] { run(); });
}

Link::~Link() {
  {
    const std::lock_guard lock(mutex_);
    life_ = Life::stopping;
  }
  life_changed_.notify_all();
  ring();
  thread_.join();
  ::close(bell_);
  ::close(socket_);
}

void Link::send(const proto::FromWorker& message) {
  frame_.clear();
  const auto framed = proto::append_frame(message, frame_);
  CHECK(framed);  // what one step says is bounded by the lanes
  if (outbox_.send(frame_) != Outbox::State::empty) ring();
}

bool Link::flush() const { return outbox_.wait_until_empty(limits::flush_time_max); }

void Link::when_lost(std::function<void()> abort) {
  const std::lock_guard lock(mutex_);
  if (life_ == Life::lost) return abort();
  abort_ = std::move(abort);
}

void Link::run() {
  ::pthread_setname_np(::pthread_self(), "link");
  if (auto ending = serve()) lose(*std::move(ending));
}

// Until the daemon is gone, which is the ending, or the step thread stops this one.
std::optional<Ending> Link::serve() {
  for (;;) {
    bool readable = false;
    if (auto ending = wait_for_sockets(readable)) return ending;
    {
      const std::lock_guard lock(mutex_);
      if (life_ == Life::stopping) return std::nullopt;
    }
    if (!readable) continue;
    if (auto ending = read_some()) return ending;
  }
}

std::optional<Ending> Link::wait_for_sockets(bool& readable) {
  const Outbox::State state = outbox_.state();
  if (state == Outbox::State::lost) return Ending{};
  const short wanted = state == Outbox::State::waiting ? POLLIN | POLLOUT : POLLIN;
  pollfd polled[] = {{socket_, wanted, 0}, {bell_, POLLIN, 0}};
  if (::poll(polled, 2, -1) < 0) {
    CHECK(errno == EINTR);
    return std::nullopt;
  }
  if (polled[1].revents) quiet_bell();
  if (polled[0].revents & POLLOUT) outbox_.write_more();
  readable = polled[0].revents & (POLLIN | POLLHUP | POLLERR);
  return std::nullopt;
}

std::optional<Ending> Link::read_some() {
  char bytes[kReadBytes];
  const ssize_t got = ::recv(socket_, bytes, sizeof bytes, MSG_DONTWAIT);
  if (got == 0) return Ending{};
  if (got < 0) {
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return std::nullopt;
    return Ending{};  // reset: the daemon died
  }
  reader_.feed({bytes, static_cast<size_t>(got)});
  return take_frames();
}

std::optional<Ending> Link::take_frames() {
  for (;;) {
    const auto next = reader_.next();
    if (!next) return Ending{next.error()};
    if (!next->has) return std::nullopt;
    if (auto ending = take_frame(next->body)) return ending;
  }
}

std::optional<Ending> Link::take_frame(std::string_view body) {
  proto::ToWorker message;
  if (!message.ParseFromArray(body.data(), static_cast<int>(body.size()))) {
    return protocol_error("a frame is not a message of this protocol");
  }
  if (message.has_ping()) {
    answer_ping(message.ping());
    return std::nullopt;
  }
  auto letter = letter_of(message);
  if (!letter) return Ending{letter.error()};
  if (auto put = inbox_.put(*std::move(letter)); !put) return Ending{put.error()};
  return std::nullopt;
}

void Link::answer_ping(const proto::Ping& ping) {
  const Pulse::Reading reading = pulse_.read(Clock::now());
  proto::FromWorker message;
  proto::Pong& pong = *message.mutable_pong();
  pong.set_number(ping.number());
  pong.set_step(reading.steps);
  pong.set_running_step_us(us_of(reading.running));
  pong.set_forecast_us(us_of(reading.forecast));
  std::string frame;
  CHECK(proto::append_frame(message, frame));
  outbox_.send(frame);
}

// The inbox ends before the step is aborted, so that a cancelled step always finds out why.
void Link::lose(Ending ending) {
  inbox_.end(std::move(ending));
  outbox_.lose();
  std::unique_lock lock(mutex_);
  if (life_ == Life::running) life_ = Life::lost;
  if (abort_) abort_();
  const bool ended =
      life_changed_.wait_for(lock, limits::step_end_time_max, [this] { return life_ == Life::stopping; });
  lock.unlock();
  if (!ended) on_stuck_();
}

void Link::ring() {
  const uint64_t one = 1;
  // EAGAIN: the bell rings already.
  CHECK(::write(bell_, &one, sizeof one) == sizeof one || errno == EAGAIN);
}

void Link::quiet_bell() {
  uint64_t rings = 0;
  CHECK(::read(bell_, &rings, sizeof rings) == sizeof rings || errno == EAGAIN);
}

}  // namespace sluice::worker
