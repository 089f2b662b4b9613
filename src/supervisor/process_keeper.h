// Keeps one process of a model alive: starts it, checks its Hello, bounds its loading, and starts it again with
// back-off when it is lost. One that does not fit this build, or was never ready in limits::first_start_deaths_max
// lives, has failed and is not tried again. Refuses to know what frames say: its owner reads them and reports.
//
// Thread: core. Lifetime: its owner's, within the loop's. Events run on core; on_lost and on_state also from within
// calls of this class.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "supervisor/alarm.h"
#include "supervisor/backoff.h"
#include "supervisor/child_process.h"
#include "supervisor/counts.h"
#include "supervisor/process_state.h"
#include "supervisor/timing.h"

namespace sluice::proto {
class Hello;
}

namespace sluice::supervisor {

class ProcessKeeper final {
 public:
  struct Options {
    std::string executable;
    std::string role;  // "codec", "worker"
    std::string expected_build;
    Duration load_max{};  // from Hello to ready
    ProcessTiming timing;
    std::function<void(std::string_view line)> on_stderr_line;  // may be empty
  };
  struct Events {
    std::function<void(std::string_view body)> on_frame;
    std::function<void()> on_greeted;                 // in `loading`: tell it what to load
    std::function<void()> on_room;                    // see ChildProcess
    std::function<void(const Error& death)> on_lost;  // followed by the state it leads to
    std::function<void(ProcessState)> on_state;
  };

  ProcessKeeper(boost::asio::io_context& core, Options options, Events events);

  void start();  // only in `stopped`
  void stop();   // kills the process

  // What its owner reads in frames.
  void on_hello(const proto::Hello& hello);
  void on_loaded();
  void on_load_failed(Error cause);
  void replace(std::string why);  // `why` follows "the process": "sent garbage"

  Result<void> send(const google::protobuf::MessageLite& message);  // as ChildProcess::send; goes nowhere without one
  bool has_room(size_t frame_bytes) const;
  void expect_end();  // only in `ready`: it has been asked to end by itself

  ProcessState state() const { return state_; }
  const Error& failure() const { return failure_; }  // in `failed`
  ProcessCounts counts() const { return counts_; }
  int pid() const;  // 0 while there is none
  uint64_t resident_bytes() const;

 private:
  void enter(ProcessState next);
  void begin();
  Result<void> spawn();
  void on_death(const ChildProcess::Death& death);
  void lose(Error death);
  void give_up(Error cause);
  void back_off();

  boost::asio::io_context& core_;
  const Options options_;
  const Events events_;
  ProcessState state_ = ProcessState::stopped;
  Error failure_;
  Backoff backoff_;
  Alarm alarm_;  // of the state: Hello, loading or the next start is due
  ProcessCounts counts_;
  bool was_ready_ = false;
  int deaths_before_ready_ = 0;
  std::unique_ptr<ChildProcess> child_;
};

}  // namespace sluice::supervisor
