// The worker's end of the socket to its daemon. Thread `link` reads frames into the inbox, answers Ping even while a
// step hangs, writes what the socket did not take at once, and notices that the daemon is gone: then it ends the inbox,
// has the running step aborted, and gives thread `step` limits::step_end_time_max to end. Refuses to know the engine.
//
// Thread: the constructor, send, flush, when_lost and the destructor step. Lifetime: the worker role's, shorter than
// whatever when_lost() names.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "proto/framing.h"
#include "worker/inbox.h"
#include "worker/outbox.h"
#include "worker/pulse.h"

namespace sluice::worker {

class Link final {
 public:
  // Takes over `socket`. `on_stuck` is called by thread `link` when the daemon is gone and the step thread does not
  // end; in a process it does not return.
  Link(int socket, std::function<void()> on_stuck);
  ~Link();  // ends and joins thread `link`, closes the socket
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  void send(const proto::FromWorker& message);  // a daemon that is gone is told by the inbox
  // Waits until the daemon's socket has taken every frame.
  bool flush() const;
  // `abort` is called once, by any thread, when the daemon is gone: at once where it is gone already.
  void when_lost(std::function<void()> abort);

  Inbox& inbox() { return inbox_; }
  Pulse& pulse() { return pulse_; }

 private:
  enum class Life : uint8_t { running, lost, stopping };

  void run();
  std::optional<Ending> serve();
  std::optional<Ending> wait_for_sockets(bool& readable);
  std::optional<Ending> read_some();
  std::optional<Ending> take_frames();
  std::optional<Ending> take_frame(std::string_view body);
  void answer_ping(const proto::Ping& ping);
  void lose(Ending ending);
  void ring();
  void quiet_bell();

  const int socket_;
  const int bell_;  // eventfd: what this thread waits for has changed
  const std::function<void()> on_stuck_;
  Inbox inbox_;
  Outbox outbox_;
  Pulse pulse_;
  proto::FrameReader reader_;  // thread link
  std::string frame_;          // thread step: reused

  std::mutex mutex_;
  std::condition_variable life_changed_;
  Life life_ = Life::running;    // guarded by mutex_
  std::function<void()> abort_;  // guarded by mutex_

  std::thread thread_;
};

}  // namespace sluice::worker
