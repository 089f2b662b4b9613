// What a daemon might send that it may not, cut and mixed in every way.
#include <cstring>

#include "base/limits.h"
#include "worker/exit_codes.h"
#include "worker/test_daemon.h"

namespace sluice::worker {
namespace {

std::string frame_of(const proto::ToWorker& message) {
  std::string frame;
  EXPECT_TRUE(proto::append_frame(message, frame));
  return frame;
}

std::string length_prefix(uint32_t length) {
  std::string bytes(4, '\0');
  for (int i = 0; i < 4; ++i) bytes[i] = static_cast<char>(length >> (8 * i));
  return bytes;
}

TEST(WorkerProtocol, GarbageIsAProtocolError) {
  TestDaemon daemon;
  daemon.send_raw(length_prefix(6) + std::string("\xff\xff\xff\xff\xff\xff", 6));
  EXPECT_EQ(daemon.exit_code(), kExitProtocol);
}

TEST(WorkerProtocol, AnOversizedFrameIsRefusedBeforeItsBody) {
  TestDaemon daemon;
  daemon.send_raw(length_prefix(limits::frame_bytes_max + 1));
  EXPECT_EQ(daemon.exit_code(), kExitProtocol);
}

TEST(WorkerProtocol, AnEmptyMessageIsAProtocolError) {
  TestDaemon daemon;
  daemon.send_raw(length_prefix(0));
  EXPECT_EQ(daemon.exit_code(), kExitProtocol);
}

TEST(WorkerProtocol, AHalfFrameAndACloseEndTheWorkerQuietly) {
  TestDaemon daemon;
  daemon.load_and_wait();
  daemon.send_raw(length_prefix(100) + "half");
  daemon.close();
  EXPECT_EQ(daemon.exit_code(), kExitEnded);
}

TEST(WorkerProtocol, FramesSentByteByByteAreWhole) {
  TestDaemon daemon({.says = "yes"});
  daemon.load_and_wait();
  proto::ToWorker message;
  *message.mutable_submit() = proto::to_message(GenerationId{1}, spec_of("hm>", 8));
  for (const char byte : frame_of(message)) daemon.send_raw({&byte, 1});
  EXPECT_EQ(daemon.read_answers({1})[1].text, "yes");
}

TEST(WorkerProtocol, GarbageInMidStreamEndsEverything) {
  TestDaemon daemon;
  daemon.load_and_wait();
  GenerationSpec spec = spec_of("go on", 400);
  spec.ignore_eos = true;
  daemon.submit(1, spec);
  EXPECT_TRUE(daemon.read_events().events(0).accepted());
  daemon.send_raw(length_prefix(3) + "abc");
  EXPECT_EQ(daemon.exit_code(), kExitProtocol);
}

TEST(WorkerProtocol, NumbersOutOfRangeAreAProtocolError) {
  TestDaemon daemon;
  daemon.load_and_wait();
  GenerationSpec spec = spec_of("hello", 4);
  spec.sampling.top_p = 2;
  daemon.submit(1, spec);
  EXPECT_EQ(daemon.exit_code(), kExitProtocol);
}

TEST(WorkerProtocol, AnImpossibleLoadIsAProtocolError) {
  TestDaemon daemon;
  daemon.load(0);
  EXPECT_EQ(daemon.exit_code(), kExitProtocol);
}

TEST(WorkerProtocol, AnIdThatLivesCannotBeSubmitted) {
  TestDaemon daemon;
  daemon.load_and_wait();
  GenerationSpec spec = spec_of("go on", 400);
  spec.ignore_eos = true;
  daemon.submit(1, spec);
  daemon.submit(1, spec);
  EXPECT_EQ(daemon.exit_code(), kExitProtocol);
}

TEST(WorkerProtocol, AnAckOfAStepThatWasNotSentIsAProtocolError) {
  TestDaemon daemon;
  daemon.load_and_wait();
  daemon.ack(1);
  EXPECT_EQ(daemon.exit_code(), kExitProtocol);
}

TEST(WorkerProtocol, CancelOfAnUnknownIdIsIgnored) {
  TestDaemon daemon({.says = "fine"});
  daemon.load_and_wait();
  daemon.cancel(99);
  EXPECT_EQ(daemon.answer(1, spec_of("hm>", 8)).text, "fine");
}

TEST(WorkerProtocol, AnIdMayBeUsedAgainAfterItsEnd) {
  TestDaemon daemon({.says = "fine"});
  daemon.load_and_wait();
  EXPECT_EQ(daemon.answer(1, spec_of("hm>", 8)).text, "fine");
  daemon.answers().clear();
  EXPECT_EQ(daemon.answer(1, spec_of("hm>", 8)).text, "fine");
}

}  // namespace
}  // namespace sluice::worker
