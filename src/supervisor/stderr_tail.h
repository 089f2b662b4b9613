// What a process wrote to stderr: cut into lines, the last of it kept. Safe to print: control characters and broken
// UTF-8 are replaced. Refuses to know where bytes come from. Thread: core.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace sluice::supervisor {

class StderrTail final {
 public:
  using OnLine = std::function<void(std::string_view line)>;
  explicit StderrTail(OnLine on_line);  // may be empty

  void add(std::string_view bytes);
  void end();  // what has no newline yet is a line, too
  std::string last_lines(size_t count) const;

 private:
  void take_line(std::string_view line);

  OnLine on_line_;
  std::string line_;  // its newline has not come
  std::string kept_;  // whole lines, each with its newline
};

}  // namespace sluice::supervisor
