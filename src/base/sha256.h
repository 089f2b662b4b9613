// SHA-256, as a value that is compared in constant time. Refuses to know what is hashed. Thread: any.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice {

struct Sha256 {
  std::array<uint8_t, 32> bytes{};
};

Sha256 sha256(std::string_view bytes);
std::optional<Sha256> sha256_of_hex(std::string_view hex);  // 64 digits, in either case
bool same_in_constant_time(const Sha256& a, const Sha256& b);

}  // namespace sluice
