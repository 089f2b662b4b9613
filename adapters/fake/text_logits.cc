#include "adapters/fake/text_logits.h"

#include <array>
#include <string_view>

#include "adapters/fake/vocabulary.h"

namespace sluice::fake {
namespace {

constexpr std::array<std::string_view, 4> kWideCharacters = {"\xc3\xa9", "\xc3\xbc", "\xe6\xbc\xa2",
                                                             "\xf0\x9f\x98\x80"};  // é ü 漢 😀
constexpr std::string_view kAlphabet =
    "      eeeetttaaaooiinnsshhrrddlluuccmmffyywwggppbbvvkkxqjz..,,!?'-ETAOINSHR0123456789\n\xc3\xe6\xf0";

constexpr int kFavourites = 6;
constexpr float kNever = -30;

uint64_t draw(uint64_t hash, uint64_t n) {
  uint64_t x = hash + n * 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

bool ends_with(std::span<const Token> tokens, std::string_view bytes) {
  if (tokens.size() < bytes.size()) return false;
  const auto last = tokens.last(bytes.size());
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (last[i] != static_cast<uint8_t>(bytes[i])) return false;
  }
  return true;
}

// Bytes that may follow where a wide character has begun; empty elsewhere.
std::string continuations(std::span<const Token> tokens) {
  std::string bytes;
  for (const std::string_view character : kWideCharacters) {
    for (size_t begun = 1; begun < character.size(); ++begun) {
      if (ends_with(tokens, character.substr(0, begun))) bytes.push_back(character[begun]);
    }
  }
  return bytes;
}

void favour(std::string_view bytes, uint64_t hash, std::span<float> row) {
  for (int rank = 0; rank < kFavourites; ++rank) {
    const auto byte = static_cast<uint8_t>(bytes[draw(hash, 100 + rank) % bytes.size()]);
    row[byte] = std::max(row[byte], 12.0f - 1.5f * static_cast<float>(rank));
  }
}

}  // namespace

LogitsRule text_logits(uint32_t end_every) {
  return [end_every](std::span<const Token> tokens, uint64_t hash, std::span<float> row) {
    std::fill(row.begin(), row.end(), kNever);
    if (const std::string next = continuations(tokens); !next.empty()) return favour(next, hash, row);
    for (Token byte = ' '; byte <= '~'; ++byte) row[byte] = static_cast<float>(draw(hash, byte) >> 40) * 0x1p-24f;
    favour(kAlphabet, hash, row);
    row[kEnd] = draw(hash, 99) % end_every == 0 ? 20.0f : kNever;
  };
}

}  // namespace sluice::fake
