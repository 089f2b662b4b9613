// UTF-8 as the Unicode standard defines it (table 3-7): neither overlong forms nor surrogates. What is broken becomes
// U+FFFD, one for each maximal subpart, as the WHATWG decoder does. Refuses to know where bytes come from. Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sluice {

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

enum class Utf8Kind : uint8_t {
  whole,       // a character
  incomplete,  // the text ends within a character that may still come right
  broken,      // bytes that no continuation makes a character
};

// How a text begins. `bytes` is 1..4: of the character, or of the longest start of one.
struct Utf8Start {
  Utf8Kind kind = Utf8Kind::broken;
  size_t bytes = 0;
};
Utf8Start utf8_start(std::string_view text);  // `text` is not empty

// In text that is UTF-8, the others go on with one.
constexpr bool begins_character(char byte) { return (static_cast<uint8_t>(byte) & 0xC0) != 0x80; }

bool is_utf8(std::string_view text);
std::string replace_broken_utf8(std::string_view text);

}  // namespace sluice
