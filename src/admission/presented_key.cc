#include "admission/presented_key.h"

#include <cstddef>

namespace sluice::admission {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool starts_with_any_case(std::string_view text, std::string_view lower_prefix) {
  if (text.size() < lower_prefix.size()) return false;
  for (size_t i = 0; i < lower_prefix.size(); ++i) {
    if (lower(text[i]) != lower_prefix[i]) return false;
  }
  return true;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::optional<std::string_view> presented_key(std::optional<std::string_view> authorization,
                                              std::optional<std::string_view> x_api_key) {
  constexpr std::string_view kScheme = "bearer ";
  if (authorization && starts_with_any_case(*authorization, kScheme)) {
    return trimmed(authorization->substr(kScheme.size()));
  }
  if (x_api_key) return trimmed(*x_api_key);
  return std::nullopt;
}

}  // namespace sluice::admission
