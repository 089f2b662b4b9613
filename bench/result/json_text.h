// JSON text piece by piece into a string, commas and all: a tree of the arrays of a result would cost many times the
// text. Refuses to know what is written. Thread: any one at a time. Internal to bench/result.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::bench::result {

class JsonText final {
 public:
  explicit JsonText(std::string& out) : out_(out) {}

  void open(char bracket);
  void close(char bracket);
  void key(std::string_view name);
  void new_line();                     // before the next item
  void string(std::string_view text);  // broken UTF-8 becomes U+FFFD
  void number(double number);          // finite; 15 digits, which every reader reads as the same number
  void integer(int64_t number);
  void unsigned_integer(uint64_t number);

 private:
  void next();  // a comma, unless this is the first of its array or object, or the value of a key

  std::string& out_;
  bool first_ = true;
  bool line_ = false;
};

}  // namespace sluice::bench::result
