#include "base/fnv.h"

namespace sluice {

uint64_t fnv1a(std::string_view bytes, uint64_t before) {
  uint64_t hash = before;
  for (const char byte : bytes) hash = (hash ^ static_cast<uint8_t>(byte)) * 0x100000001b3;
  return hash;
}

std::string hex16(uint64_t number) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text(16, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, number >>= 4) *digit = kDigits[number & 15];
  return text;
}

}  // namespace sluice
