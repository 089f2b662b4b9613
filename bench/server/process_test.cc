#include "bench/server/process.h"

#include <gmock/gmock.h>
#include <signal.h>

#include "bench/machine/processes.h"

namespace sluice::bench {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

Result<Process> shell(const std::string& script, const Process::Environment& environment = {}) {
  return Process::start({"sh", "-c", script}, environment);
}

TEST(Process, ItsOutputAndItsCodeAreKept) {
  auto process = shell("echo out; echo err >&2; exit 7");
  ASSERT_TRUE(process);
  ASSERT_TRUE(process->wait(60s));
  EXPECT_EQ(process->exited()->code, 7);
  EXPECT_FALSE(process->exited()->signal);
  EXPECT_EQ(process->output(), "out\nerr\n");
  EXPECT_EQ(process->first_output(), "out\nerr\n");
}

TEST(Process, ASignalThatEndedItIsNamed) {
  auto process = shell("kill -9 $$");
  ASSERT_TRUE(process);
  ASSERT_TRUE(process->wait(60s));
  EXPECT_EQ(process->exited()->signal, SIGKILL);
}

TEST(Process, OnlyTheLastOfMuchOutputIsShown) {
  auto process = shell("i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done");
  ASSERT_TRUE(process);
  ASSERT_TRUE(process->wait(60s));
  EXPECT_THAT(process->output(), HasSubstr("line 2999\n"));
  EXPECT_LE(process->output().size(), 8u << 10);
  EXPECT_TRUE(process->first_output().starts_with("line 0\n"));
}

TEST(Process, EndEndsItsChildrenToo) {
  auto process = shell("sleep 1000 & echo $!; wait");
  ASSERT_TRUE(process);
  const auto both = [&] { return read_processes().tree_of(process->pid()).size() == 2; };
  while (!both()) ASSERT_FALSE(process->wait(1ms));
  const auto tree = read_processes().tree_of(process->pid());
  EXPECT_EQ(process->end().signal, SIGTERM);
  for (const pid_t pid : tree)
    EXPECT_TRUE(pid == process->pid() || kill(pid, 0) != 0 || read_processes().ticks_of({pid}) == 0);
}

TEST(Process, TheEnvironmentIsOursWithWhatWasAdded) {
  auto process = shell("echo $SLUICE_TEST_WORD; echo $HOME", {{"SLUICE_TEST_WORD", "seen"}, {"HOME", "/nowhere"}});
  ASSERT_TRUE(process);
  ASSERT_TRUE(process->wait(60s));
  EXPECT_EQ(process->output(), "seen\n/nowhere\n");
}

TEST(Process, AProgramThatCannotRunIsNamed) {
  const auto process = Process::start({"/nonexistent/server"}, {});
  ASSERT_FALSE(process);
  EXPECT_EQ(process.error().code, ErrorCode::not_found);
  EXPECT_THAT(process.error().message, HasSubstr("/nonexistent/server"));
}

TEST(Process, OutputOfAProgramIsItsWords) {
  EXPECT_EQ(output_of({"echo", "1.2"}, {}), "1.2\n");
  EXPECT_EQ(output_of({"/nonexistent"}, {}), "");
}

}  // namespace
}  // namespace sluice::bench
