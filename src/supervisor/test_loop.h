// For tests with processes: a loop that runs until something has happened or a deadline has passed, and a folder in
// which the test child bears the names of its scripts.
#pragma once

#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>

#include "base/time.h"

namespace sluice::supervisor {

class TestLoop {
 public:
  // False: the deadline passed first. It is only met by a test that fails.
  bool run_until(const std::function<bool()>& happened, Duration deadline = std::chrono::seconds(30)) {
    const TimePoint end = Clock::now() + deadline;
    while (!happened()) {
      if (core.run_one_until(end) == 0) return happened();
    }
    return true;
  }
  // Runs what is queued already.
  void settle() { core.poll(); }

  boost::asio::io_context core;

 private:
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{core.get_executor()};
};

// Sends a signal to one child. False, and nothing sent, where there is none: 0 would name our own process group, and a
// negative number another one or everybody.
[[nodiscard]] inline bool signal_child(pid_t pid, int signal) { return pid > 0 && ::kill(pid, signal) == 0; }

// Whether a child that was there has been reaped.
[[nodiscard]] inline bool is_gone(pid_t pid) { return pid > 0 && ::kill(pid, 0) != 0; }

class TestPrograms {
 public:
  TestPrograms() {
    std::string name = (std::filesystem::temp_directory_path() / "sluice-supervisor-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    folder_ = name;
  }
  ~TestPrograms() { std::filesystem::remove_all(folder_); }
  std::string path_of(const std::string& script) {
    const auto path = folder_ / script;
    if (!std::filesystem::exists(path)) std::filesystem::create_symlink(SLUICE_TEST_CHILD, path);
    return path.string();
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace sluice::supervisor
