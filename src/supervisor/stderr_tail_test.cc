#include "supervisor/stderr_tail.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.h"

namespace sluice::supervisor {
namespace {

using testing::ElementsAre;

class StderrTailTest : public testing::Test {
 protected:
  std::vector<std::string> lines;
  StderrTail tail{[this](std::string_view line) { lines.emplace_back(line); }};
};

TEST_F(StderrTailTest, LinesComeWholeHoweverTheyAreCut) {
  tail.add("on");
  tail.add("e\ntwo\nth");
  EXPECT_THAT(lines, ElementsAre("one", "two"));
  tail.end();
  tail.end();
  EXPECT_THAT(lines, ElementsAre("one", "two", "th"));
}

TEST_F(StderrTailTest, TheLastLinesAreKept) {
  tail.add("one\ntwo\n\nfour\n");
  EXPECT_EQ(tail.last_lines(3), "two\n\nfour");
  EXPECT_EQ(tail.last_lines(1), "four");
  EXPECT_EQ(tail.last_lines(100), "one\ntwo\n\nfour");
  EXPECT_EQ(tail.last_lines(0), "");
}

TEST_F(StderrTailTest, NothingSaidIsNothingKept) {
  tail.end();
  EXPECT_EQ(tail.last_lines(5), "");
}

TEST_F(StderrTailTest, ManyLinesLeaveTheNewest) {
  for (int i = 0; i < 10000; ++i) tail.add("line " + std::to_string(i) + "\n");
  EXPECT_EQ(tail.last_lines(2), "line 9998\nline 9999");
  const std::string kept = tail.last_lines(10000);
  EXPECT_LE(kept.size(), limits::stderr_tail_bytes_max);
  EXPECT_GE(kept.size(), limits::stderr_tail_bytes_max - 16);
  EXPECT_EQ(kept.substr(0, 5), "line ");
}

TEST_F(StderrTailTest, ALineWithoutEndIsBounded) {
  for (int i = 0; i < 100; ++i) tail.add(std::string(4096, static_cast<char>('a' + i % 26)));
  tail.end();
  for (const std::string& line : lines) EXPECT_LE(line.size(), limits::stderr_tail_bytes_max);
  EXPECT_LE(tail.last_lines(10).size(), limits::stderr_tail_bytes_max);
}

TEST_F(StderrTailTest, WhatATerminalWouldObeyIsReplaced) {
  tail.add("\x1b[31mred\x07\t\xff\n");
  EXPECT_THAT(lines, ElementsAre("?[31mred?\t\xEF\xBF\xBD"));
}

}  // namespace
}  // namespace sluice::supervisor
