#include "cli/input.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <array>

namespace sluice::cli {
namespace {

class PipedInput : public testing::Test {
 protected:
  ~PipedInput() override {
    close(ends_[0]);
    if (ends_[1] >= 0) close(ends_[1]);
  }
  void type(std::string_view text) {
    ASSERT_EQ(write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void end() {
    close(ends_[1]);
    ends_[1] = -1;
  }
  std::array<int, 2> ends_ = [] {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe(ends.data()), 0);
    return ends;
  }();
  Interrupts interrupts_;
  Input piped_{ends_[0], interrupts_};
};

TEST_F(PipedInput, GivesEachLineAndThenTheEnd) {
  type("one\n\nlast");
  end();
  EXPECT_EQ(std::get<std::string>(piped_.next()), "one");
  EXPECT_EQ(std::get<std::string>(piped_.next()), "");
  EXPECT_EQ(std::get<std::string>(piped_.next()), "last");
  EXPECT_TRUE(std::holds_alternative<Input::End>(piped_.next()));
  EXPECT_TRUE(std::holds_alternative<Input::End>(piped_.next()));
}

TEST_F(PipedInput, IsInterruptedByCtrlCAndGoesOn) {
  kill(getpid(), SIGINT);
  EXPECT_TRUE(std::holds_alternative<Input::Interrupted>(piped_.next()));
  type("after\n");
  EXPECT_EQ(std::get<std::string>(piped_.next()), "after");
}

TEST(Interrupts, RequestTheStopOfWhatRuns) {
  Interrupts interrupts;
  bool stopped = false;
  const bool pressed = interrupts.during([&](std::stop_token stop) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    std::stop_callback told(stop, [&ends] { EXPECT_EQ(write(ends[1], "x", 1), 1); });
    kill(getpid(), SIGINT);
    char byte = 0;
    EXPECT_EQ(read(ends[0], &byte, 1), 1);
    stopped = stop.stop_requested();
    close(ends[0]);
    close(ends[1]);
  });
  EXPECT_TRUE(pressed);
  EXPECT_TRUE(stopped);
}

TEST(Interrupts, LeaveAloneWhatIsNotInterrupted) {
  Interrupts interrupts;
  EXPECT_FALSE(interrupts.during([](std::stop_token stop) { EXPECT_FALSE(stop.stop_requested()); }));
}

}  // namespace
}  // namespace sluice::cli
