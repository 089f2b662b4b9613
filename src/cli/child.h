// A program that this one starts, reads the stdout of, and ends. It dies with its parent, and gets none of the
// terminal's signals. Refuses to know what it runs. Thread: the one that started it, for its whole life.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace sluice::cli {

class Child final {
 public:
  // `arguments[0]` is the executable's path. Error: io.
  static Result<Child> start(std::vector<std::string> arguments);
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  ~Child();  // asks it to end, and waits for that

  std::optional<std::string> read_line();  // of its stdout, without '\n'; absent at the end
  std::string read_all();                  // the rest
  int end();                               // SIGTERM, and wait()
  int wait();                              // its exit code; 128 + signal where one killed it

 private:
  Child(pid_t pid, int output) : pid_(pid), output_(output) {}
  bool read_more();

  pid_t pid_;   // 0: waited for
  int output_;  // -1: moved from
  std::string unread_;
};

}  // namespace sluice::cli
