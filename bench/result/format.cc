#include "bench/result/format.h"

#include <fmt/format.h>

#include <charconv>

namespace sluice::bench::result {

std::string hex_text(uint64_t number) { return fmt::format("{:016x}", number); }

std::optional<uint64_t> hex_number(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace sluice::bench::result
