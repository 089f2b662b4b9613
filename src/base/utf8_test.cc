#include "base/utf8.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sluice {
namespace {

TEST(Utf8, CharactersOfEveryLengthAreWhole) {
  for (const std::string_view text :
       {"a", "\x7F", "é", "߿", "ࠀ", "€", "\xED\x9F\xBF", "\xEE\x80\x80", "𐀀", "😀", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
    EXPECT_EQ(utf8_start(text).bytes, text.size());
    EXPECT_EQ(replace_broken_utf8(text), text);
  }
}

TEST(Utf8, EveryProperPrefixOfACharacterIsIncomplete) {
  for (const std::string_view text : {"é", "€", "😀"}) {
    for (size_t n = 1; n < text.size(); ++n) {
      const Utf8Start start = utf8_start(text.substr(0, n));
      EXPECT_EQ(start.kind, Utf8Kind::incomplete);
      EXPECT_EQ(start.bytes, n);
      EXPECT_EQ(replace_broken_utf8(text.substr(0, n)), kReplacementCharacter);
    }
  }
}

TEST(Utf8, OnlyTheFirstByteOfACharacterBeginsIt) {
  for (const std::string_view text : {"a", "\x7F", "é", "€", "😀", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(begins_character(text.front()));
    EXPECT_TRUE(std::ranges::none_of(text.substr(1), begins_character)) << text;
  }
}

TEST(Utf8, OverlongFormsSurrogatesAndTooLargeNumbersAreBroken) {
  for (const std::string_view text : {"\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
                                      "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\x80"}) {
    EXPECT_FALSE(is_utf8(text));
    EXPECT_EQ(utf8_start(text).kind, Utf8Kind::broken);
    EXPECT_EQ(utf8_start(text).bytes, 1u);
  }
}

// The example of the Unicode standard, table 3-11: one replacement for each maximal subpart.
TEST(Utf8, EachMaximalSubpartBecomesOneReplacement) {
  EXPECT_EQ(replace_broken_utf8("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), "\uFFFD\uFFFD\uFFFD\uFFFD\x41");
  EXPECT_EQ(replace_broken_utf8("\xF0\x80\x80\x41"), "\uFFFD\uFFFD\uFFFD\x41");
}

}  // namespace
}  // namespace sluice
