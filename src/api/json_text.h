// Writes JSON text piece by piece into a string: for what is sent for every token, where building a tree would cost
// more than the text. The caller keeps the order of keys and commas right. Refuses to know what is written. Thread:
// any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::api {

void append_string(std::string& out, std::string_view text);  // quoted; broken UTF-8 becomes U+FFFD
void append_integer(std::string& out, int64_t value);
void append_number(std::string& out, double value);  // shortest form that reads as the same; what is not finite: null
inline std::string quoted(std::string_view text) {
  std::string out;
  append_string(out, text);
  return out;
}

// An object, written between its constructor and end(): {"a":1,"b":"x"}.
class JsonObject final {
 public:
  explicit JsonObject(std::string& out) : out_(out) { out_ += '{'; }
  JsonObject& text(std::string_view name, std::string_view value);
  JsonObject& integer(std::string_view name, int64_t value);
  JsonObject& number(std::string_view name, double value);
  JsonObject& raw(std::string_view name, std::string_view json);
  std::string& key(std::string_view name);  // the value is for the caller to append
  void end() { out_ += '}'; }

 private:
  std::string& out_;
  bool first_ = true;
};

}  // namespace sluice::api
