#include "cli/child.h"

#include <gtest/gtest.h>

namespace sluice::cli {
namespace {

Result<Child> shell(const std::string& script) { return Child::start({"/bin/sh", "-c", script}); }

TEST(Child, IsReadLineByLine) {
  auto child = shell("echo one; echo two; printf half");
  ASSERT_TRUE(child);
  EXPECT_EQ(child->read_line(), "one");
  EXPECT_EQ(child->read_line(), "two");
  EXPECT_EQ(child->read_line(), std::nullopt) << "a line that does not end is none";
  EXPECT_EQ(child->wait(), 0);
}

TEST(Child, IsReadWhole) { EXPECT_EQ(shell("echo one; echo two")->read_all(), "one\ntwo\n"); }

TEST(Child, TellsItsExitCode) {
  EXPECT_EQ(shell("exit 3")->wait(), 3);
  EXPECT_EQ(shell("kill -9 $$")->wait(), 128 + 9);
  EXPECT_EQ(Child::start({"/no/such/program"})->wait(), 127);
}

TEST(Child, EndsWhenItIsAsked) {
  auto child = shell("trap 'exit 7' TERM; echo up; while :; do read line; done");
  EXPECT_EQ(child->read_line(), "up");
  EXPECT_EQ(child->end(), 7);
}

TEST(Child, GetsNothingOfItsParentsInput) { EXPECT_EQ(shell("cat; echo end")->read_all(), "end\n"); }

}  // namespace
}  // namespace sluice::cli
