#include "supervisor/child_process.h"

#include <sys/wait.h>

#include <array>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <csignal>
#include <optional>

#include "base/check.h"
#include "proto/framing.h"
#include "supervisor/alarm.h"
#include "supervisor/resident.h"
#include "supervisor/spawn.h"
#include "supervisor/stderr_tail.h"
#include "supervisor/words.h"

namespace sluice::supervisor {

namespace asio = boost::asio;
using boost::system::error_code;

// A death is told when three things have ended: the process, what it wrote to the socket, what it wrote to stderr. A
// grandchild may hold the last two open, so they are waited for only so long.
class ChildProcess::State final : public std::enable_shared_from_this<State> {
 public:
  State(asio::io_context& core, Spawned spawned, Options options, Events events)
      : options_(std::move(options)),
        events_(std::move(events)),
        pid_(spawned.pid),
        socket_(core, asio::local::stream_protocol(), spawned.socket.release()),
        errors_(core, spawned.errors.release()),
        exit_(core, spawned.pidfd.release()),
        exit_alarm_(core),
        tail_(events_.on_stderr_line) {}

  void begin();
  Result<void> send(const google::protobuf::MessageLite& message);
  bool has_room(size_t frame_bytes) const;
  void kill(std::string why);
  void abandon();
  pid_t pid() const { return pid_; }

 private:
  size_t queued_bytes() const { return queued_.size() + writing_.size(); }
  void write_queued();
  void on_written(const error_code& error);
  void read_socket();
  void on_read(const error_code& error, size_t bytes);
  void deliver_frames();
  void close_socket();
  void read_errors();
  void on_errors(const error_code& error, size_t bytes);
  void await_exit();
  void on_exit_hint();
  bool reap(int options);
  void on_exit_overdue();
  void tell_death_if_all_ended();
  void tell_death();

  const Options options_;
  const Events events_;
  const pid_t pid_;
  asio::local::stream_protocol::socket socket_;
  asio::posix::stream_descriptor errors_;
  asio::posix::stream_descriptor exit_;
  Alarm exit_alarm_;
  StderrTail tail_;
  proto::FrameReader reader_;
  std::string queued_, writing_;
  std::array<char, 64 << 10> read_buffer_;
  std::array<char, 4 << 10> errors_buffer_;
  std::optional<siginfo_t> ended_;  // reaped: from then on pid_ may be another process's
  std::string kill_reason_;         // not empty: we killed it
  bool abandoned_ = false;          // its owner is gone, or has been told of its death
};

void ChildProcess::State::begin() {
  read_socket();
  read_errors();
  await_exit();
}

Result<void> ChildProcess::State::send(const google::protobuf::MessageLite& message) {
  if (!socket_.is_open() || !kill_reason_.empty()) return {};
  if (auto appended = proto::append_frame(message, queued_); !appended) return appended;
  if (queued_bytes() > limits::outbox_bytes_max) {
    kill("does not read what it is sent");
  } else if (writing_.empty()) {
    write_queued();
  }
  return {};
}

bool ChildProcess::State::has_room(size_t frame_bytes) const {
  return queued_bytes() == 0 || queued_bytes() + frame_bytes <= limits::outbox_bytes_max / 2;
}

void ChildProcess::State::write_queued() {
  writing_.swap(queued_);
  asio::async_write(socket_, asio::buffer(writing_),
                    [self = shared_from_this()](const error_code& error, size_t) { self->on_written(error); });
}

// After an error nothing more is written; reading tells the rest.
void ChildProcess::State::on_written(const error_code& error) {
  if (abandoned_ || error) return;
  writing_.clear();
  if (!queued_.empty()) write_queued();
  events_.on_room();
}

void ChildProcess::State::read_socket() {
  socket_.async_read_some(
      asio::buffer(read_buffer_),
      [self = shared_from_this()](const error_code& error, size_t bytes) { self->on_read(error, bytes); });
}

void ChildProcess::State::on_read(const error_code& error, size_t bytes) {
  if (abandoned_ || !socket_.is_open()) return;
  if (error) {
    close_socket();
    if (!ended_) exit_alarm_.after(options_.exit_max, [self = shared_from_this()] { self->on_exit_overdue(); });
    return tell_death_if_all_ended();
  }
  reader_.feed({read_buffer_.data(), bytes});
  deliver_frames();
  if (!abandoned_ && socket_.is_open()) read_socket();
}

void ChildProcess::State::deliver_frames() {
  while (!abandoned_ && kill_reason_.empty()) {
    const auto next = reader_.next();
    if (!next) return kill("sent garbage: " + next.error().message);
    if (!next->has) return;
    events_.on_frame(next->body);
  }
}

void ChildProcess::State::close_socket() {
  error_code ignored;
  socket_.close(ignored);
}

void ChildProcess::State::read_errors() {
  errors_.async_read_some(
      asio::buffer(errors_buffer_),
      [self = shared_from_this()](const error_code& error, size_t bytes) { self->on_errors(error, bytes); });
}

void ChildProcess::State::on_errors(const error_code& error, size_t bytes) {
  if (abandoned_) return;
  if (!error) {
    tail_.add({errors_buffer_.data(), bytes});
    return read_errors();
  }
  error_code ignored;
  errors_.close(ignored);
  tell_death_if_all_ended();
}

void ChildProcess::State::await_exit() {
  exit_.async_wait(asio::posix::descriptor_base::wait_read, [self = shared_from_this()](const error_code& error) {
    if (!self->abandoned_ && !error) self->on_exit_hint();
  });
}

// The loop may wake us for a descriptor that was closed and whose place ours has taken, so the kernel is asked, and
// never waited for: the child may live for days.
void ChildProcess::State::on_exit_hint() {
  if (!reap(WNOHANG)) return await_exit();
  exit_alarm_.after(options_.exit_max, [self = shared_from_this()] { self->tell_death(); });
  tell_death_if_all_ended();
}

// False, with WNOHANG: it has not ended.
bool ChildProcess::State::reap(int options) {
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | options) < 0) CHECK(errno == EINTR);
  if (info.si_pid == 0) return false;
  ended_ = info;
  return true;
}

void ChildProcess::State::on_exit_overdue() { kill("closed its socket and did not end"); }

void ChildProcess::State::kill(std::string why) {
  if (!kill_reason_.empty()) return;
  kill_reason_ = std::move(why);
  close_socket();
  if (!ended_) {
    ::kill(pid_, SIGKILL);
  } else {
    exit_alarm_.after(Duration::zero(), [self = shared_from_this()] { self->tell_death(); });
  }
}

void ChildProcess::State::tell_death_if_all_ended() {
  if (ended_ && !socket_.is_open() && !errors_.is_open()) tell_death();
}

void ChildProcess::State::tell_death() {
  abandon();
  tail_.end();
  Death death;
  death.clean = kill_reason_.empty() && ended_->si_code == CLD_EXITED && ended_->si_status == 0;
  death.how = kill_reason_.empty() ? exit_words(ended_->si_code, ended_->si_status) : kill_reason_ + " and was killed";
  death.last_words = tail_.last_lines(limits::death_notice_lines_max);
  events_.on_death(death);
}

// Kills the child if it lives, waits for it, and lets the loop's handlers go.
void ChildProcess::State::abandon() {
  abandoned_ = true;
  if (!ended_) {
    ::kill(pid_, SIGKILL);
    reap(0);
  }
  exit_alarm_.cancel();
  error_code ignored;
  socket_.close(ignored);
  errors_.close(ignored);
  exit_.close(ignored);
}

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(asio::io_context& core, Options options, Events events) {
  auto spawned = spawn(options.executable, options.arguments);
  if (!spawned) return std::unexpected(std::move(spawned.error()));
  auto state = std::make_shared<State>(core, std::move(*spawned), std::move(options), std::move(events));
  state->begin();
  return std::unique_ptr<ChildProcess>(new ChildProcess(std::move(state)));
}

ChildProcess::ChildProcess(std::shared_ptr<State> state) : state_(std::move(state)) {}

ChildProcess::~ChildProcess() { state_->abandon(); }

Result<void> ChildProcess::send(const google::protobuf::MessageLite& message) { return state_->send(message); }

bool ChildProcess::has_room(size_t frame_bytes) const { return state_->has_room(frame_bytes); }

void ChildProcess::kill(std::string why) { state_->kill(std::move(why)); }

pid_t ChildProcess::pid() const { return state_->pid(); }

uint64_t ChildProcess::resident_bytes() const { return resident_bytes_of(state_->pid()); }

}  // namespace sluice::supervisor
