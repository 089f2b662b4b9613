// What is typed, line by line, while Ctrl-C may be pressed. Refuses to know what lines mean. Thread: main.
#pragma once

#include <string>
#include <variant>

#include "cli/interrupts.h"

namespace sluice::cli {

class Input final {
 public:
  struct End {};          // no more lines
  struct Interrupted {};  // Ctrl-C while waiting
  using Next = std::variant<std::string, Interrupted, End>;

  Input(int descriptor, Interrupts& interrupts) : descriptor_(descriptor), interrupts_(interrupts) {}
  bool is_terminal() const;
  Next next();  // a line without its '\n'; the last one need not have any

 private:
  bool read_more();

  int descriptor_;
  Interrupts& interrupts_;
  std::string unread_;
  bool ended_ = false;
};

}  // namespace sluice::cli
