#include "worker/outbox.h"

#include <sys/socket.h>

#include <cerrno>

#include "base/limits.h"

namespace sluice::worker {

Outbox::State Outbox::send(std::string_view frame) {
  const std::lock_guard lock(mutex_);
  if (lost_) return State::lost;
  if (waiting_.empty()) frame.remove_prefix(write_some(frame));
  if (waiting_.size() - written_ + frame.size() > limits::outbox_bytes_max) lost_ = true;
  if (!lost_) waiting_ += frame;
  changed_.notify_all();
  return state_locked();
}

Outbox::State Outbox::write_more() {
  const std::lock_guard lock(mutex_);
  written_ += write_some(std::string_view(waiting_).substr(written_));
  if (written_ == waiting_.size()) {
    waiting_.clear();
    written_ = 0;
  } else if (written_ > waiting_.size() / 2) {  // so that every byte moves once on average
    waiting_.erase(0, written_);
    written_ = 0;
  }
  changed_.notify_all();
  return state_locked();
}

size_t Outbox::write_some(std::string_view bytes) {
  size_t done = 0;
  while (done < bytes.size() && !lost_) {
    const ssize_t wrote = ::send(socket_, bytes.data() + done, bytes.size() - done, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (wrote >= 0) {
      done += static_cast<size_t>(wrote);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      break;
    } else if (errno != EINTR) {
      lost_ = true;
    }
  }
  return done;
}

Outbox::State Outbox::state() const {
  const std::lock_guard lock(mutex_);
  return state_locked();
}

Outbox::State Outbox::state_locked() const {
  if (lost_) return State::lost;
  return waiting_.empty() ? State::empty : State::waiting;
}

void Outbox::lose() {
  const std::lock_guard lock(mutex_);
  lost_ = true;
  changed_.notify_all();
}

bool Outbox::wait_until_empty(Duration time_max) const {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, time_max, [this] { return state_locked() != State::waiting; });
  return state_locked() == State::empty;
}

}  // namespace sluice::worker
