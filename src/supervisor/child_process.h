// One child process and the frames to and from it. Tells how it ended, with the last of its stderr. Refuses to know
// what frames mean and whether it is to be started again.
//
// Thread: core. Lifetime: its owner's, within the loop's; its end kills the child and waits for it. Events run on core,
// never from within a call of this class, and never after its end; they may end it.
#pragma once

#include <sys/types.h>

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/limits.h"
#include "base/time.h"

namespace google::protobuf {
class MessageLite;
}

namespace sluice::supervisor {

class ChildProcess final {
 public:
  struct Options {
    std::string executable;
    std::vector<std::string> arguments;                 // without the program's name
    Duration exit_max = limits::process_exit_time_max;  // from closing its socket to its end
  };
  struct Death {
    bool clean = false;      // by itself, with exit code 0
    std::string how;         // follows "the process": "was killed by signal 9 (Killed)"
    std::string last_words;  // of its stderr; may be empty
  };
  struct Events {
    std::function<void(std::string_view body)> on_frame;
    std::function<void()> on_room;  // what was queued for it shrank
    std::function<void(const Death&)> on_death;
    std::function<void(std::string_view line)> on_stderr_line;  // may be empty
  };

  static Result<std::unique_ptr<ChildProcess>> start(boost::asio::io_context& core, Options options, Events events);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Queues a frame. Error: too_large. A child that leaves limits::outbox_bytes_max unread is killed; frames to one that
  // is dying go nowhere.
  Result<void> send(const google::protobuf::MessageLite& message);
  // Whether a frame of this size leaves room for the small ones (pings, acknowledgements) that must not wait.
  bool has_room(size_t frame_bytes) const;

  // `why` follows "the process": "sent garbage". No frame is told from here on; on_death comes.
  void kill(std::string why);

  pid_t pid() const;
  uint64_t resident_bytes() const;

 private:
  class State;
  explicit ChildProcess(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;  // with the handlers the loop holds: these two own it
};

}  // namespace sluice::supervisor
