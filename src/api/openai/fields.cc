#include "api/openai/fields.h"

#include <fmt/format.h>

#include <boost/json/parser.hpp>
#include <cmath>

#include "base/limits.h"

namespace sluice::api::openai {

namespace json = boost::json;

void FirstError::set(ErrorCode code, std::string message, std::string field) {
  if (!error_) error_ = Error{code, std::move(message), std::move(field)};
}

std::optional<WholeNumber> whole_number(const json::value& value) {
  if (const auto* i = value.if_int64()) {
    return WholeNumber{*i < 0, *i < 0 ? ~static_cast<uint64_t>(*i) + 1 : static_cast<uint64_t>(*i)};
  }
  if (const auto* u = value.if_uint64()) return WholeNumber{false, *u};
  const auto* d = value.if_double();
  constexpr double two_to_64 = 18446744073709551616.0;
  if (!d || !(std::abs(*d) < two_to_64) || std::trunc(*d) != *d) return std::nullopt;
  return WholeNumber{*d < 0, static_cast<uint64_t>(std::abs(*d))};
}

std::string_view type_name(const json::value& value) {
  switch (value.kind()) {
    case json::kind::null: return "null";
    case json::kind::bool_: return "a boolean";
    case json::kind::int64:
    case json::kind::uint64:
    case json::kind::double_: return "a number";
    case json::kind::string: return "a string";
    case json::kind::array: return "an array";
    case json::kind::object: return "an object";
  }
  return "nothing known";
}

const json::value* Fields::find(std::string_view name) const {
  if (error_) return nullptr;
  const auto* value = object_.if_contains(json::string_view(name.data(), name.size()));
  return value && !value->is_null() ? value : nullptr;
}

std::string Fields::path(std::string_view name) const {
  if (prefix_.empty()) return std::string(name);
  return name.empty() ? prefix_ : fmt::format("{}.{}", prefix_, name);
}

void Fields::invalid(std::string_view name, std::string message) {
  error_.set(ErrorCode::invalid, fmt::format("{} {}", path(name), message), path(name));
}

void Fields::unsupported(std::string_view name, std::string message) {
  error_.set(ErrorCode::unsupported, fmt::format("{} {}", path(name), message), path(name));
}

void Fields::wrong_type(std::string_view name, std::string_view wanted, const json::value& value) {
  invalid(name, fmt::format("must be {}, not {}", wanted, type_name(value)));
}

std::optional<bool> Fields::boolean(std::string_view name) {
  const auto* value = find(name);
  if (!value) return std::nullopt;
  if (const auto* flag = value->if_bool()) return *flag;
  wrong_type(name, "a boolean", *value);
  return std::nullopt;
}

std::optional<double> Fields::number(std::string_view name, double min, double max) {
  const auto* value = find(name);
  if (!value) return std::nullopt;
  if (!value->is_number()) {
    wrong_type(name, "a number", *value);
    return std::nullopt;
  }
  const double number = value->to_number<double>();
  if (number >= min && number <= max) return number;
  invalid(name, fmt::format("must be between {} and {}, not {}", min, max, number));
  return std::nullopt;
}

std::optional<int64_t> Fields::integer(std::string_view name, int64_t min, int64_t max) {
  const auto* value = find(name);
  if (!value) return std::nullopt;
  if (!value->is_number()) {
    wrong_type(name, "an integer", *value);
    return std::nullopt;
  }
  const auto whole = whole_number(*value);
  if (!whole) {
    invalid(name, "must be an integer");
    return std::nullopt;
  }
  const bool fits = whole->magnitude <= static_cast<uint64_t>(INT64_MAX);
  const int64_t number = whole->negative ? -static_cast<int64_t>(whole->magnitude & INT64_MAX)
                                         : static_cast<int64_t>(whole->magnitude & INT64_MAX);
  if (fits && number >= min && number <= max) return number;
  invalid(name, fmt::format("must be between {} and {}", min, max));
  return std::nullopt;
}

std::optional<std::string> Fields::text(std::string_view name, size_t bytes_max) {
  const auto* value = find(name);
  if (!value) return std::nullopt;
  const auto* text = value->if_string();
  if (!text) {
    wrong_type(name, "a string", *value);
    return std::nullopt;
  }
  if (text->size() <= bytes_max) return std::string(text->data(), text->size());
  invalid(name, fmt::format("must have at most {} bytes", bytes_max));
  return std::nullopt;
}

std::optional<Fields> Fields::object(std::string_view name) {
  const auto* value = find(name);
  if (!value) return std::nullopt;
  if (const auto* object = value->if_object()) return Fields(*object, path(name), error_);
  wrong_type(name, "an object", *value);
  return std::nullopt;
}

Result<json::value> parse_object(std::string_view body) {
  json::parse_options options;
  options.max_depth = limits::json_depth_max;
  json::parser parser({}, options);
  json::error_code ec;
  const size_t read = parser.write_some(body.data(), body.size(), ec);
  if (ec == json::error::incomplete) return fail(ErrorCode::invalid, "the body ends within its JSON");
  if (ec == json::error::too_deep) {
    return fail(ErrorCode::invalid, fmt::format("the body's JSON is nested deeper than {}", limits::json_depth_max));
  }
  if (ec) return fail(ErrorCode::invalid, fmt::format("the body is no JSON: {} at byte {}", ec.message(), read));
  if (body.find_first_not_of(" \t\r\n", read) != std::string_view::npos) {
    return fail(ErrorCode::invalid, fmt::format("the body has more after its JSON, at byte {}", read));
  }
  json::value value = parser.release();
  if (!value.is_object()) {
    return fail(ErrorCode::invalid, fmt::format("the body must be a JSON object, not {}", type_name(value)));
  }
  return value;
}

}  // namespace sluice::api::openai
