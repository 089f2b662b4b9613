// Frames on their way to the daemon. Whoever has a frame tries the socket once and goes on; what the socket does not
// take waits here, bounded, for thread `link`. A daemon that lets limits::outbox_bytes_max pile up counts as lost.
// Refuses to know messages. Thread: any. Lifetime: the link's.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>

#include "base/time.h"

namespace sluice::worker {

class Outbox final {
 public:
  explicit Outbox(int socket) : socket_(socket) {}

  enum class State : uint8_t {
    empty,    // the socket took everything
    waiting,  // for the socket to be writable
    lost,     // nothing will ever be read again
  };
  State send(std::string_view frame);
  State write_more();  // the socket is writable
  State state() const;
  void lose();

  // Sleeps until nothing waits; false where that takes longer than `time_max` or never comes.
  bool wait_until_empty(Duration time_max) const;

 private:
  size_t write_some(std::string_view bytes);
  State state_locked() const;

  const int socket_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::string waiting_;  // guarded by mutex_
  size_t written_ = 0;   // of waiting_
  bool lost_ = false;    // guarded by mutex_
};

}  // namespace sluice::worker
