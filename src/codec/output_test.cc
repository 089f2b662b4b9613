#include "codec/output.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/utf8.h"

namespace sluice {
namespace {

struct Answer {
  std::string text;
  std::optional<std::string> stop;
  bool operator==(const Answer&) const = default;
};

Answer run(const std::vector<std::string>& stop, const std::vector<std::string>& pieces) {
  OutputText output(stop);
  Answer answer;
  for (const std::string& bytes : pieces) {
    const OutputText::Piece piece = output.add(bytes);
    EXPECT_TRUE(is_utf8(piece.text));
    answer.text += piece.text;
    answer.stop = piece.stop_string;
    if (answer.stop) return answer;
  }
  answer.text += output.flush();
  return answer;
}

TEST(OutputText, WithoutStopStringsTextComesAtOnce) {
  OutputText output({});
  EXPECT_EQ(output.add("Hello").text, "Hello");
  EXPECT_EQ(output.add("").text, "");
  EXPECT_EQ(output.add(" world").text, " world");
  EXPECT_EQ(output.flush(), "");
}

TEST(OutputText, ACharacterComesWhenItIsWhole) {
  OutputText output({});
  EXPECT_EQ(output.add("a\xF0").text, "a");
  EXPECT_EQ(output.add("\x9F").text, "");
  EXPECT_EQ(output.add("\x98").text, "");
  EXPECT_EQ(output.add("\x80z").text, "😀z");
}

TEST(OutputText, BrokenBytesBecomeReplacementsAndWhatFollowsIsKept) {
  OutputText output({});
  EXPECT_EQ(output.add("\xFF").text, "\uFFFD");
  EXPECT_EQ(output.add("\xE2\x82").text, "");
  EXPECT_EQ(output.add("A").text, "\uFFFDA");
  EXPECT_EQ(output.add("\xC3").text, "");
  EXPECT_EQ(output.add("\xC3").text, "\uFFFD");
  EXPECT_EQ(output.add("\xA9").text, "é");
}

TEST(OutputText, AnUnfinishedCharacterIsOneReplacementAtTheEnd) {
  EXPECT_EQ(run({}, {"a", "\xF0\x9F", "\x98"}), (Answer{"a\uFFFD", {}}));
}

TEST(OutputText, AStopStringEndsTheTextBeforeIt) {
  EXPECT_EQ(run({"END"}, {"abc", "END", "never"}), (Answer{"abc", "END"}));
  EXPECT_EQ(run({"END"}, {"abcE", "ND of it"}), (Answer{"abc", "END"}));
  EXPECT_EQ(run({"END"}, {"END"}), (Answer{"", "END"}));
}

TEST(OutputText, TextThatMayBecomeAStopStringIsHeldUntilItDoesNot) {
  OutputText output({"\n\nHuman:"});
  EXPECT_EQ(output.add("Hi\n").text, "Hi");
  EXPECT_EQ(output.add("\nHum").text, "");
  EXPECT_EQ(output.add("ble").text, "\n\nHumble");
}

TEST(OutputText, OnlyTheLongestPossibleStartIsHeld) {
  OutputText output({"aab"});
  EXPECT_EQ(output.add("aaaa").text, "aa");
  const OutputText::Piece piece = output.add("b");
  EXPECT_EQ(piece.text, "");
  EXPECT_EQ(piece.stop_string, "aab");
}

TEST(OutputText, HeldTextComesWithTheFlush) { EXPECT_EQ(run({"END"}, {"abE", "N"}), (Answer{"abEN", {}})); }

TEST(OutputText, TheStopStringThatIsCompleteFirstCounts) {
  EXPECT_EQ(run({"abcd", "bc"}, {"abcd"}), (Answer{"a", "bc"}));
  EXPECT_EQ(run({"abcd", "bc"}, {"a", "b", "c", "d"}), (Answer{"a", "bc"}));
  EXPECT_EQ(run({"ab", "abc"}, {"xabc"}), (Answer{"x", "ab"}));
}

TEST(OutputText, OfThoseCompleteTogetherTheLongestCounts) {
  EXPECT_EQ(run({"c", "bc", "xbc"}, {"abc"}), (Answer{"a", "bc"}));
  EXPECT_EQ(run({"bc", "c"}, {"ab", "c"}), (Answer{"a", "bc"}));
}

TEST(OutputText, AStopStringOfManyByteCharactersMatchesAcrossTokens) {
  EXPECT_EQ(run({"é€"}, {"caf\xC3", "\xA9\xE2", "\x82", "\xAC!"}), (Answer{"caf", "é€"}));
  EXPECT_EQ(run({"é€"}, {"caf\xC3", "\xA9\xE2", "\x82", "x"}), (Answer{"café\uFFFDx", {}}));
}

TEST(OutputText, AReplacementCharacterIsTextForAStopString) {
  EXPECT_EQ(run({"\uFFFD"}, {"a\xFF", "b"}), (Answer{"a", "\uFFFD"}));
  EXPECT_EQ(run({"\uFFFD"}, {"a\xC3"}), (Answer{"a", {}}));  // completed by the flush: cut, but not why it ended
}

TEST(OutputText, NothingIsLeftAfterAStopString) {
  OutputText output({"END"});
  EXPECT_TRUE(output.add("aENDb\xC3").stop_string);
  EXPECT_EQ(output.flush(), "");
}

TEST(OutputTextDeathTest, AddingAfterAStopStringIsOurOwnMistake) {
  OutputText output({"END"});
  output.add("END");
  EXPECT_DEATH(output.add("x"), "CHECK failed");
}

// ---- the whole text at once, as simply as it can be said --------------------------------------------------------

std::optional<Answer> cut_at_stop(const std::vector<std::string>& stop, const std::string& text) {
  for (size_t end = 0; end <= text.size(); ++end) {
    for (size_t start = 0; start < end; ++start) {
      const std::string candidate = text.substr(start, end - start);
      if (std::ranges::find(stop, candidate) != stop.end()) return Answer{text.substr(0, start), candidate};
    }
  }
  return {};
}

// Bytes at the end of the text that may still become a character.
size_t unfinished_bytes(std::string_view bytes) {
  while (!bytes.empty()) {
    const Utf8Start start = utf8_start(bytes);
    if (start.kind == Utf8Kind::incomplete) return start.bytes;
    bytes.remove_prefix(start.bytes);
  }
  return 0;
}

Answer reference(const std::vector<std::string>& stop, const std::string& bytes) {
  const size_t unfinished = unfinished_bytes(bytes);
  std::string text = replace_broken_utf8(bytes.substr(0, bytes.size() - unfinished));
  if (const auto answer = cut_at_stop(stop, text)) return *answer;
  if (unfinished > 0) text += kReplacementCharacter;
  return {cut_at_stop(stop, text).value_or(Answer{text, {}}).text, {}};
}

class Texts {
 public:
  explicit Texts(uint64_t seed) : random_(seed) {}
  size_t below(size_t n) { return random_() % n; }
  // Few letters, so that stop strings overlap themselves, each other and the text; with parts of characters.
  std::string bytes(size_t length_max) {
    static const std::vector<std::string> letters = {"a",    "b",        "é",        "€",    "😀",
                                                     "\xC3", "\xE2\x82", "\xF0\x9F", "\xFF", "\xA9"};
    return of(letters, length_max, below(2) ? 3 : letters.size());
  }
  std::string stop() {
    static const std::vector<std::string> letters = {"a", "b", "é", "€", "\uFFFD"};
    return of(letters, 4, below(2) ? 2 : letters.size());
  }
  std::vector<std::string> cut(const std::string& bytes) {
    std::vector<std::string> pieces;
    const size_t longest = 1 + below(6);
    for (size_t at = 0; at < bytes.size(); at += pieces.back().size())
      pieces.push_back(bytes.substr(at, below(longest) + 1));
    return pieces;
  }

 private:
  std::string of(const std::vector<std::string>& letters, size_t length_max, size_t used) {
    std::string text;
    for (size_t n = 1 + below(length_max); n > 0; --n) text += letters[below(used)];
    return text;
  }
  std::mt19937_64 random_;
};

TEST(OutputText, AnyCutGivesWhatTheWholeTextGives) {
  Texts texts(20240611);
  size_t stopped = 0;
  for (int round = 0; round < 10000; ++round) {
    std::vector<std::string> stop(texts.below(4));
    for (std::string& text : stop) text = texts.stop();
    const std::string bytes = texts.bytes(24);
    const Answer expected = reference(stop, bytes);
    EXPECT_EQ(run(stop, texts.cut(bytes)), expected) << "round " << round;
    stopped += expected.stop.has_value();
  }
  EXPECT_GT(stopped, 1500u);
}

}  // namespace
}  // namespace sluice
