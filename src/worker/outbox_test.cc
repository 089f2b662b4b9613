#include "worker/outbox.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"

namespace sluice::worker {
namespace {

using State = Outbox::State;

class OutboxTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends_), 0); }
  void TearDown() override {
    for (const int end : ends_) ::close(end);
  }
  std::string read(size_t bytes) {
    std::string text(bytes, '\0');
    size_t done = 0;
    while (done < bytes) {
      const ssize_t got = ::recv(ends_[1], text.data() + done, bytes - done, MSG_DONTWAIT);
      if (got <= 0) break;
      done += static_cast<size_t>(got);
    }
    text.resize(done);
    return text;
  }
  // Sends until the socket takes no more, and returns all that was sent.
  std::string fill(Outbox& outbox) {
    std::string sent;
    for (char mark = 'a'; outbox.state() == State::empty; mark = mark == 'z' ? 'a' : static_cast<char>(mark + 1)) {
      const std::string frame(10'000, mark);
      outbox.send(frame);
      sent += frame;
    }
    return sent;
  }
  int ends_[2] = {-1, -1};
};

TEST_F(OutboxTest, WhatTheSocketTakesDoesNotWait) {
  Outbox outbox(ends_[0]);
  EXPECT_EQ(outbox.send("frame"), State::empty);
  EXPECT_EQ(read(5), "frame");
}

TEST_F(OutboxTest, WhatTheSocketDoesNotTakeComesLaterInOrder) {
  Outbox outbox(ends_[0]);
  std::string sent = fill(outbox);
  EXPECT_EQ(outbox.send("the last"), State::waiting);
  sent += "the last";
  std::string got;
  while (outbox.state() == State::waiting) {
    got += read(50'000);
    outbox.write_more();
  }
  got += read(sent.size());
  EXPECT_EQ(got, sent);
  EXPECT_TRUE(outbox.wait_until_empty(Duration::zero()));
}

TEST_F(OutboxTest, AReaderThatReadsNothingCountsAsLost) {
  Outbox outbox(ends_[0]);
  const std::string frame(8u << 20, 'x');
  size_t sent = 0;
  while (outbox.send(frame) != State::lost && sent <= 2 * limits::outbox_bytes_max) sent += frame.size();
  EXPECT_EQ(outbox.state(), State::lost);
  EXPECT_LE(sent, limits::outbox_bytes_max + frame.size());
  EXPECT_FALSE(outbox.wait_until_empty(Duration::zero()));
}

TEST_F(OutboxTest, AClosedReaderIsLostAndRaisesNoSignal) {
  ::close(ends_[1]);
  ends_[1] = -1;
  Outbox outbox(ends_[0]);
  EXPECT_EQ(outbox.send("frame"), State::lost);
  EXPECT_EQ(outbox.send("frame"), State::lost);
}

}  // namespace
}  // namespace sluice::worker
