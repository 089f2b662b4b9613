#include "supervisor/child_process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <optional>

#include "proto/sluice.pb.h"
#include "supervisor/spawn.h"
#include "supervisor/test_loop.h"

namespace sluice::supervisor {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class ChildProcessTest : public testing::Test {
 protected:
  Result<void> start(const std::string& script, const std::string& executable = SLUICE_TEST_CHILD,
                     Duration exit_max = limits::process_exit_time_max) {
    auto started = ChildProcess::start(loop.core, {executable, {script}, exit_max},
                                       {.on_frame = [this](std::string_view body) { frames.emplace_back(body); },
                                        .on_room = [] {},
                                        .on_death = [this](const ChildProcess::Death& how) { death = how; },
                                        .on_stderr_line = [this](std::string_view line) { lines.emplace_back(line); }});
    if (!started) return std::unexpected(started.error());
    child = std::move(*started);
    return {};
  }
  bool run_until_death() {
    return loop.run_until([this] { return death.has_value(); });
  }

  TestLoop loop;
  std::unique_ptr<ChildProcess> child;
  std::vector<std::string> frames, lines;
  std::optional<ChildProcess::Death> death;
};

TEST_F(ChildProcessTest, FramesGoThereAndBack) {
  ASSERT_TRUE(start("echo"));
  proto::ToWorker message;
  message.mutable_load()->set_model_path(std::string(1 << 20, 'm'));  // more than a socket holds
  for (uint64_t step = 1; step <= 3; ++step) {
    ASSERT_TRUE(child->send(message));
  }
  ASSERT_TRUE(loop.run_until([this] { return frames.size() == 3; }));
  proto::ToWorker echoed;
  ASSERT_TRUE(echoed.ParseFromString(frames[2]));
  EXPECT_EQ(echoed.load().model_path().size(), size_t{1} << 20);
}

TEST_F(ChildProcessTest, InheritsNothingButItsSocketAndStandardStreams) {
  const int leak = ::open("/dev/null", O_RDONLY);  // not closed on exec
  ::signal(SIGUSR1, SIG_IGN);
  ASSERT_TRUE(start("list"));
  ASSERT_TRUE(run_until_death());
  ::signal(SIGUSR1, SIG_DFL);
  ::close(leak);
  EXPECT_TRUE(death->clean);
  std::vector<std::string> descriptors;
  for (const std::string& line : lines) {
    if (line.starts_with("fd ")) descriptors.push_back(line);
  }
  EXPECT_THAT(descriptors, ElementsAre("fd 0", "fd 1", "fd 2", "fd 3"));
  EXPECT_THAT(lines, Contains("env GGML_NO_BACKTRACE=1"));
  EXPECT_THAT(lines, Not(Contains(StartsWith("ignored "))));
  EXPECT_THAT(lines, Not(Contains(StartsWith("blocked "))));
}

TEST_F(ChildProcessTest, SecretsOfTheEnvironmentStayHere) {
  ::setenv("OPENAI_API_KEY", "sk-secret", 1);
  ASSERT_TRUE(start("list"));
  ::unsetenv("OPENAI_API_KEY");
  ASSERT_TRUE(run_until_death());
  EXPECT_THAT(lines, Not(Contains(HasSubstr("OPENAI"))));
}

TEST_F(ChildProcessTest, AnExitCodeAndTheLastWordsAreTold) {
  ASSERT_TRUE(start("exit-5"));
  ASSERT_TRUE(run_until_death());
  EXPECT_FALSE(death->clean);
  EXPECT_EQ(death->how, "exited with 5");
  EXPECT_EQ(death->last_words, "first words\nlast words");
  EXPECT_THAT(lines, ElementsAre("first words", "last words"));
}

TEST_F(ChildProcessTest, ASignalIsTold) {
  ASSERT_TRUE(start("abort"));
  ASSERT_TRUE(run_until_death());
  EXPECT_EQ(death->how, "was killed by signal 6 (Aborted)");
  EXPECT_THAT(death->last_words, HasSubstr("it went wrong"));
}

TEST_F(ChildProcessTest, AKillFromOutsideIsTold) {
  ASSERT_TRUE(start("hang"));
  ASSERT_TRUE(signal_child(child->pid(), SIGKILL));
  ASSERT_TRUE(run_until_death());
  EXPECT_EQ(death->how, "was killed by signal 9 (Killed)");
}

TEST_F(ChildProcessTest, WhatItSaidLastComesBeforeItsDeath) {
  ASSERT_TRUE(start("last-frame-then-exit"));
  ASSERT_TRUE(run_until_death());
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_TRUE(death->clean);
}

TEST_F(ChildProcessTest, AnOversizedFrameKillsIt) {
  ASSERT_TRUE(start("oversized-first"));
  ASSERT_TRUE(run_until_death());
  EXPECT_THAT(death->how, StartsWith("sent garbage: "));
  EXPECT_FALSE(death->clean);
  EXPECT_TRUE(frames.empty());
}

TEST_F(ChildProcessTest, AHalfFrameIsNeverTold) {
  ASSERT_TRUE(start("half-frame-first"));
  ASSERT_TRUE(run_until_death());
  EXPECT_TRUE(frames.empty());
}

TEST_F(ChildProcessTest, OneThatClosesItsSocketAndStaysIsKilled) {
  ASSERT_TRUE(start("close-socket", SLUICE_TEST_CHILD, std::chrono::milliseconds(10)));
  ASSERT_TRUE(run_until_death());
  EXPECT_EQ(death->how, "closed its socket and did not end and was killed");
}

TEST_F(ChildProcessTest, OneThatDoesNotReadIsKilledWhenItsOutboxIsFull) {
  ASSERT_TRUE(start("hang"));
  proto::ToWorker message;
  message.mutable_load()->set_model_path(std::string(16 << 20, 'm'));
  EXPECT_TRUE(child->has_room(message.ByteSizeLong()));
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(child->send(message));
  EXPECT_FALSE(child->has_room(message.ByteSizeLong()));
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(child->send(message));
  ASSERT_TRUE(run_until_death());
  EXPECT_EQ(death->how, "does not read what it is sent and was killed");
}

TEST_F(ChildProcessTest, AMessageThatNoFrameHoldsIsRefusedAndTheChildLives) {
  ASSERT_TRUE(start("echo"));
  proto::ToWorker message;
  message.mutable_load()->set_model_path(std::string(limits::frame_bytes_max + 1, 'm'));
  EXPECT_EQ(child->send(message).error().code, ErrorCode::too_large);
  message.mutable_load()->set_model_path("m");
  ASSERT_TRUE(child->send(message));
  EXPECT_TRUE(loop.run_until([this] { return frames.size() == 1; }));
}

TEST_F(ChildProcessTest, ItsEndKillsAndReapsTheChildAndTellsNothing) {
  ASSERT_TRUE(start("hang"));
  const pid_t pid = child->pid();
  EXPECT_GT(child->resident_bytes(), 0u);
  child.reset();
  EXPECT_TRUE(is_gone(pid));
  loop.settle();
  EXPECT_FALSE(death);
}

TEST_F(ChildProcessTest, ItMayEndInItsOwnDeathNotice) {
  bool told = false;
  auto started = ChildProcess::start(loop.core, {SLUICE_TEST_CHILD, {"exit-5"}, limits::process_exit_time_max},
                                     {.on_frame = [](std::string_view) {},
                                      .on_room = [] {},
                                      .on_death =
                                          [&](const ChildProcess::Death&) {
                                            child.reset();
                                            told = true;
                                          },
                                      .on_stderr_line = {}});
  ASSERT_TRUE(started);
  child = std::move(*started);
  EXPECT_TRUE(loop.run_until([&] { return told; }));
  loop.settle();
}

// The parent is a copy of this process that ends at once without a word to its child.
TEST_F(ChildProcessTest, AChildDiesWithItsParent) {
  int pipe_ends[2];
  ASSERT_EQ(::pipe2(pipe_ends, O_CLOEXEC), 0);
  const pid_t parent = ::fork();
  if (parent == 0) {
    auto spawned = spawn(SLUICE_TEST_CHILD, {"hang"});
    const pid_t pid = spawned ? spawned->pid : 0;
    (void)!::write(pipe_ends[1], &pid, sizeof pid);
    ::raise(SIGKILL);
  }
  ::close(pipe_ends[1]);
  pid_t pid = 0;
  ASSERT_EQ(::read(pipe_ends[0], &pid, sizeof pid), static_cast<ssize_t>(sizeof pid));
  ASSERT_GT(pid, 0);
  ::waitpid(parent, nullptr, 0);
  const int orphan = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  pollfd watched{orphan, POLLIN, 0};
  EXPECT_TRUE(orphan < 0 || ::poll(&watched, 1, 30'000) == 1);
  ::close(orphan);
  ::close(pipe_ends[0]);
}

// Two children have ended before the loop looks. Told of the first, its owner replaces the second: what the loop has
// queued for the second's descriptors then reaches those of its successor, which lives.
TEST_F(ChildProcessTest, WhatTheLoopHasQueuedForAnotherIsNotTakenForItsEnd) {
  const auto start_other = [this](const char* script, std::function<void()> on_frame) {
    return ChildProcess::start(loop.core, {SLUICE_TEST_CHILD, {script}, limits::process_exit_time_max},
                               {.on_frame = [on_frame](std::string_view) { on_frame(); },
                                .on_room = [] {},
                                .on_death = [](const ChildProcess::Death&) {},
                                .on_stderr_line = {}});
  };
  const auto wait_for_end_of = [](pid_t pid) {
    siginfo_t info{};
    EXPECT_EQ(::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT), 0);
  };
  std::unique_ptr<ChildProcess> second;
  const auto first = start_other("last-frame-then-exit", [&] {
    second.reset();
    EXPECT_TRUE(start("hang"));
  });
  ASSERT_TRUE(first);
  wait_for_end_of((*first)->pid());
  second = start_other("last-frame-then-exit", [] {}).value();
  wait_for_end_of(second->pid());

  ASSERT_TRUE(loop.run_until([this] { return child != nullptr; }));
  loop.settle();
  EXPECT_FALSE(death);
  ASSERT_TRUE(signal_child(child->pid(), SIGKILL));
  ASSERT_TRUE(run_until_death());
  EXPECT_EQ(death->how, "was killed by signal 9 (Killed)");
}

TEST_F(ChildProcessTest, AProgramThatCannotRunIsNamed) {
  const auto missing = start("list", "/nonexistent/worker");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_EQ(missing.error().message, "cannot run /nonexistent/worker: No such file or directory");
  EXPECT_EQ(start("list", "/etc/hostname").error().code, ErrorCode::not_found);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child was left behind";
}

}  // namespace
}  // namespace sluice::supervisor
