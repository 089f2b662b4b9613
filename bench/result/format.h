// What a file of a result opens with, and how it spells a hash. Changes together with docs/formats/bench-result.md.
// Refuses to know fields. Thread: any. Internal to bench/result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::bench::result {

inline constexpr std::string_view kFormat = "sluice-bench";
inline constexpr int64_t kVersion = 1;

std::string hex_text(uint64_t number);  // 16 digits: many readers of JSON have no integers of 64 bits
std::optional<uint64_t> hex_number(std::string_view text);

}  // namespace sluice::bench::result
