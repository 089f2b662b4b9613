#include "base/sha256.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

namespace sluice {
namespace {

static_assert(sizeof(Sha256::bytes) == SHA256_DIGEST_LENGTH);

int digit_of(char c) {
  constexpr int kTen = 10;
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + kTen;
  if (c >= 'A' && c <= 'F') return c - 'A' + kTen;
  return -1;
}

}  // namespace

Sha256 sha256(std::string_view bytes) {
  Sha256 hash;
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), hash.bytes.data());
  return hash;
}

std::optional<Sha256> sha256_of_hex(std::string_view hex) {
  constexpr int kBitsOfADigit = 4;
  Sha256 hash;
  if (hex.size() != 2 * hash.bytes.size()) return std::nullopt;
  for (size_t i = 0; i < hash.bytes.size(); ++i) {
    const int high = digit_of(hex[2 * i]);
    const int low = digit_of(hex[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    hash.bytes[i] = static_cast<uint8_t>(high << kBitsOfADigit | low);
  }
  return hash;
}

bool same_in_constant_time(const Sha256& a, const Sha256& b) {
  return CRYPTO_memcmp(a.bytes.data(), b.bytes.data(), a.bytes.size()) == 0;
}

}  // namespace sluice
