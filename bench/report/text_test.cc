#include "bench/report/text.h"

#include <gtest/gtest.h>

namespace sluice::bench::report {
namespace {

TEST(ReportText, MarkupBecomesText) {
  EXPECT_EQ(escaped("<a href='x'>\"&amp;\"</a>"), "&lt;a href=&#39;x&#39;&gt;&quot;&amp;amp;&quot;&lt;/a&gt;");
}

TEST(ReportText, BytesThatNoPageMayContainAreReplaced) { EXPECT_EQ(escaped("a\xFF\x1B[0m\nb"), "a\uFFFD\uFFFD[0m\nb"); }

TEST(ReportText, ACellOfAMarkdownTableStaysOnOneLineAndInItsColumn) {
  EXPECT_EQ(markdown_escaped("a|b\n*c* <d> `e`"), "a\\|b \\*c\\* \\<d\\> \\`e\\`");
}

TEST(ReportText, AMarkdownBlockCannotBeLeft) { EXPECT_EQ(markdown_code("```\n# x\r"), "    ```\n    # x \n"); }

TEST(ReportText, IsShortenedAtCharacters) {
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdefg", 6), "abcde…");
  EXPECT_EQ(shortened("äöüäöüä", 4), "äöü…");
  EXPECT_EQ(character_count("äöü…"), 4u);
}

TEST(ReportText, CommandLinesAreQuotedForAShell) {
  EXPECT_EQ(command_line({"serve", "--name", "my model", "", "it's", "$HOME"}),
            "serve --name 'my model' '' 'it'\\''s' '$HOME'");
}

TEST(ReportText, TheNameOfAPath) {
  EXPECT_EQ(base_name("/models/tiny.gguf"), "tiny.gguf");
  EXPECT_EQ(base_name("tiny.gguf"), "tiny.gguf");
  EXPECT_EQ(base_name(""), "");
}

}  // namespace
}  // namespace sluice::bench::report
