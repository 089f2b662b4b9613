// Little-endian numbers and strings from a stream of known length, never past its end. Errors stick: after the first
// one every read gives zero, and `error()` says what broke where, so that a parser checks once per item.
// Refuses to know what the bytes mean. Thread: one.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <type_traits>

#include "base/error.h"

namespace sluice::gguf {

class ByteReader final {
 public:
  ByteReader(std::istream& in, uint64_t size) : in_(in), size_(size) {}

  template <class T>
    requires std::is_arithmetic_v<T>
  T number() {
    T value{};
    take(&value, sizeof value);
    return value;
  }
  // u64 length, then that many bytes; longer than `bytes_max` is an error.
  std::string text(uint64_t bytes_max);
  void skip_text(uint64_t bytes_max) { skip(text_length(bytes_max)); }
  void skip(uint64_t bytes);

  void fail(std::string what);  // keeps the first
  bool failed() const { return error_.has_value(); }
  const std::optional<Error>& error() const { return error_; }
  uint64_t position() const { return position_; }
  uint64_t left() const { return size_ - position_; }

 private:
  uint64_t text_length(uint64_t bytes_max);
  void take(void* to, uint64_t bytes);
  bool has(uint64_t bytes);

  std::istream& in_;
  uint64_t size_;
  uint64_t position_ = 0;
  std::optional<Error> error_;
};

}  // namespace sluice::gguf
