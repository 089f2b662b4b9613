// A server process of our own: started in a process group of its own, its output kept in an unnamed file (nothing of
// ours runs while it writes), ended with all its children. Refuses to know what it serves.
//
// Thread: the one that started it, which must outlive it (the kernel ends a child with its parent's thread).
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/time.h"

namespace sluice::bench {

struct Exit {
  std::optional<int> code, signal;
};

class Process final {
 public:
  using Environment = std::vector<std::pair<std::string, std::string>>;  // added to ours

  // Error: io, or not_found where the program cannot be run.
  static Result<Process> start(const std::vector<std::string>& argv, const Environment& environment);
  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;
  ~Process();  // end()

  pid_t pid() const { return pid_; }
  std::optional<Exit> exited();  // absent while it runs
  bool wait(Duration time_max);  // true: it has ended
  Exit end();                    // SIGTERM, after a while SIGKILL, to all of its group

  std::string output() const;        // the last of it, stdout and stderr together
  std::string first_output() const;  // the start of it

 private:
  Process(pid_t pid, int pidfd, int output) : pid_(pid), pidfd_(pidfd), output_(output) {}
  std::string read_output(off_t from, size_t count) const;
  void close_all();

  pid_t pid_;  // 0: moved from
  int pidfd_, output_;
  std::optional<Exit> exit_;
};

// The output of a program that ends by itself; empty where it cannot be run or takes too long.
std::string output_of(const std::vector<std::string>& argv, const Process::Environment& environment);

// A port that nobody listens on.
uint16_t free_port();

}  // namespace sluice::bench
