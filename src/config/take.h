// Makers of Flags::Take: a word becomes a value, is checked, and stored. Refuses to know which flag. Thread: any.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "base/error.h"

namespace sluice::config {

// The error says the range, and what it is of: "'70000' is not possible: a port is 0 to 65535".
template <class Number>
Result<Number> number_in(const std::string& word, Number min, Number max, const std::string& what) {
  Number value{};
  const char* end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, value);
  if (error == std::errc{} && rest == end && value >= min && value <= max) return value;
  return fail(ErrorCode::invalid, fmt::format("'{}' is not possible: {} is {} to {}", word, what, min, max));
}

// Each word of a comma-separated list, up to the first error; an empty list is one empty word.
template <class Each>
Result<void> for_each_word(const std::string& comma_separated, Each each) {
  for (size_t from = 0; from <= comma_separated.size();) {
    const size_t comma = std::min(comma_separated.find(',', from), comma_separated.size());
    if (Result<void> taken = each(comma_separated.substr(from, comma - from)); !taken) return taken;
    from = comma + 1;
  }
  return {};
}

template <class Target, class Convert>
auto converted_into(Target& target, Convert convert) {
  return [&target, convert = std::move(convert)](const std::string& word) -> Result<void> {
    auto value = convert(word);
    if (!value) return std::unexpected(std::move(value.error()));
    target = std::move(*value);
    return {};
  };
}

// `Target` is the number or an optional of it.
template <class Number, class Target>
auto number_into(Target& target, Number min, Number max, std::string what) {
  return converted_into(target, [min, max, what = std::move(what)](const std::string& word) {
    return number_in<Number>(word, min, max, what);
  });
}

}  // namespace sluice::config
