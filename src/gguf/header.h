// The header of a GGUF file, version 2 or 3: key-value pairs, and where its tensors lie. Nothing in the file is
// trusted: every count is checked against limits.h and the bytes that are left. Refuses to know what keys mean
// (model_facts.h does). Thread: any (a value).
#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"

namespace sluice::gguf {

struct Array {
  uint64_t items = 0;
  std::vector<double> numbers;  // kept where the items are numbers and few enough: else empty
};

using Value = std::variant<uint64_t, int64_t, double, bool, std::string, Array>;

class Header final {
 public:
  static Result<Header> read(const std::string& path);
  static Result<Header> parse(std::istream& in, uint64_t file_bytes);

  uint32_t version() const { return version_; }
  uint64_t file_bytes() const { return file_bytes_; }
  uint64_t tensors() const { return tensors_; }

  const Value* find(std::string_view key) const;
  // Absent, or of another kind: nullopt. A negative or broken number is no unsigned one.
  std::optional<uint64_t> unsigned_of(std::string_view key) const;
  std::optional<std::string> text_of(std::string_view key) const;
  // An array's, or a scalar's repeated: the value for each of `items` layers.
  std::optional<std::vector<uint64_t>> per_layer(std::string_view key, uint64_t items) const;
  uint64_t array_items(std::string_view key) const;  // 0 where there is no such array

 private:
  uint32_t version_ = 0;
  uint64_t file_bytes_ = 0;
  uint64_t tensors_ = 0;
  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace sluice::gguf
