// The flags of one command: declared once, they are parsed, checked and listed in --help. The one place that knows the
// command line library. Refuses to know what the values mean. Thread: any. Lifetime: one parse.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace sluice::config {

// A command that ends before it began: `text` is for stdout where `code` is 0 (--help), else one line for stderr.
struct Stop {
  int code = 2;
  std::string text;
};
inline constexpr int kExitUsage = 2;  // an option is unknown or impossible
inline constexpr int kExitModel = 3;  // the model cannot be loaded

class Flags final {
 public:
  // Takes a value as written, or says why it is impossible and what would work.
  using Take = std::function<Result<void>(const std::string& word)>;

  Flags(std::string command, std::string description);
  ~Flags();
  void positional(const std::string& name, const std::string& help, std::string& target);
  void positionals(const std::string& name, const std::string& help, std::vector<std::string>& target);
  void option(const std::string& flag, const std::string& value, const std::string& help, Take take);
  void repeated(const std::string& flag, const std::string& value, const std::string& help, Take take);
  void text(const std::string& flag, const std::string& value, const std::string& help, std::string& target);
  void toggle(const std::string& flag, const std::string& help, bool& target);

  // Absent: go on. Every declared value has been taken.
  std::optional<Stop> parse(std::vector<std::string> arguments);
  Stop refuse(const Error& error) const;  // error.field names the option

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sluice::config
