#include "base/utf8.h"

#include "base/check.h"

namespace sluice {
namespace {

struct ByteRange {
  uint8_t low = 0x80, high = 0xBF;
  bool holds(uint8_t byte) const { return low <= byte && byte <= high; }
};

// What a lead byte announces: how long its character is, and the range of the second byte. Later bytes are 80..BF.
struct Lead {
  size_t bytes = 0;  // 0: no character starts with this byte
  ByteRange second;
};

Lead lead_of(uint8_t byte) {
  if (byte < 0x80) return {1, {}};
  if (byte < 0xC2) return {};  // a continuation byte, or an overlong form
  if (byte < 0xE0) return {2, {}};
  if (byte == 0xE0) return {3, {0xA0, 0xBF}};  // below: overlong
  if (byte == 0xED) return {3, {0x80, 0x9F}};  // above: surrogates
  if (byte < 0xF0) return {3, {}};
  if (byte == 0xF0) return {4, {0x90, 0xBF}};  // below: overlong
  if (byte < 0xF4) return {4, {}};
  if (byte == 0xF4) return {4, {0x80, 0x8F}};  // above: past U+10FFFF
  return {};
}

}  // namespace

Utf8Start utf8_start(std::string_view text) {
  CHECK(!text.empty());
  const Lead lead = lead_of(static_cast<uint8_t>(text[0]));
  if (lead.bytes == 0) return {Utf8Kind::broken, 1};
  for (size_t i = 1; i < lead.bytes; ++i) {
    if (i == text.size()) return {Utf8Kind::incomplete, i};
    const ByteRange allowed = i == 1 ? lead.second : ByteRange{};
    if (!allowed.holds(static_cast<uint8_t>(text[i]))) return {Utf8Kind::broken, i};
  }
  return {Utf8Kind::whole, lead.bytes};
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Utf8Start start = utf8_start(text);
    if (start.kind != Utf8Kind::whole) return false;
    text.remove_prefix(start.bytes);
  }
  return true;
}

std::string replace_broken_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const Utf8Start start = utf8_start(text);
    valid += start.kind == Utf8Kind::whole ? text.substr(0, start.bytes) : kReplacementCharacter;
    text.remove_prefix(start.bytes);
  }
  return valid;
}

}  // namespace sluice
