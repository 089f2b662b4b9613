// The first thing that was wrong in a run. Refuses to know what is checked. Thread: one at a time per object.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::sim {

struct Failing {
  std::string check;  // the name of the rule that was broken
  std::string what;
};

class Verdict final {
 public:
  void fail(std::string_view check, std::string what) {
    if (!first_) first_ = Failing{std::string(check), std::move(what)};
  }
  bool ok() const { return !first_; }
  const std::optional<Failing>& first() const { return first_; }

 private:
  std::optional<Failing> first_;
};

}  // namespace sluice::sim
