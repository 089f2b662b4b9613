// Reads the fields of a JSON object, each with its type and range. The first thing wrong is kept with the field's path
// and everything after it reads as absent, so that a parser is a plain list of fields and asks once in the end.
// Refuses to know what fields mean. Thread: any one at a time. Internal to api/openai.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace sluice::api::openai {

// The first error of a body, shared by the readers of its parts.
class FirstError final {
 public:
  void set(ErrorCode code, std::string message, std::string field);
  explicit operator bool() const { return error_.has_value(); }
  const Error& get() const { return *error_; }

 private:
  std::optional<Error> error_;
};

// A number as JSON has it; an integer is exact.
struct WholeNumber {
  bool negative = false;
  uint64_t magnitude = 0;
};
// 3 and 3.0 and 3e0, within ±2^64; else absent.
std::optional<WholeNumber> whole_number(const boost::json::value& value);
std::string_view type_name(const boost::json::value& value);  // "a string", ...

class Fields final {
 public:
  Fields(const boost::json::object& object, std::string prefix, FirstError& error)
      : object_(object), prefix_(std::move(prefix)), error_(error) {}

  // Null where the field is absent or null.
  const boost::json::value* find(std::string_view name) const;
  std::optional<bool> boolean(std::string_view name);
  std::optional<double> number(std::string_view name, double min, double max);
  std::optional<int64_t> integer(std::string_view name, int64_t min, int64_t max);
  std::optional<std::string> text(std::string_view name, size_t bytes_max = SIZE_MAX);
  std::optional<Fields> object(std::string_view name);

  std::string path(std::string_view name) const;
  void invalid(std::string_view name, std::string message);  // the field's value is wrong
  void unsupported(std::string_view name, std::string message);

 private:
  void wrong_type(std::string_view name, std::string_view wanted, const boost::json::value& value);

  const boost::json::object& object_;
  std::string prefix_;
  FirstError& error_;
};

// The body as an object, with bounded depth. Error: invalid.
Result<boost::json::value> parse_object(std::string_view body);

}  // namespace sluice::api::openai
