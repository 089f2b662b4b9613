#include "admission/admission.h"

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

// Runs over all of `presented`, whose length its sender knows, and never stops at the first difference.
bool same_in_constant_time(std::string_view presented, std::string_view key) {
  if (key.empty()) return false;  // opens nothing, whatever is presented
  volatile size_t difference = presented.size() ^ key.size();
  for (size_t i = 0; i < presented.size(); ++i) {
    const auto own = static_cast<unsigned char>(key[i % key.size()]);
    difference = difference | static_cast<size_t>(static_cast<unsigned char>(presented[i]) ^ own);
  }
  return difference == 0;
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

KeyRing::KeyRing(std::vector<std::string> keys) : keys_(std::move(keys)) {}

std::optional<std::string> KeyRing::label_of(std::string_view presented) const {
  size_t number = 0;  // of the key that matches, from 1
  for (size_t i = 0; i < keys_.size(); ++i) {
    if (same_in_constant_time(presented, keys_[i])) number = i + 1;
  }
  if (number == 0) return std::nullopt;
  return "key" + std::to_string(number);
}

}  // namespace sluice::admission
