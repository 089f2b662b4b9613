// From Hello to Ready, and the ways not to get there.
#include "base/build.h"
#include "base/limits.h"
#include "worker/exit_codes.h"
#include "worker/test_daemon.h"

namespace sluice::worker {
namespace {

TEST(WorkerStart, SaysHelloBeforeItIsAsked) {
  TestDaemon daemon;
  const proto::Hello hello = daemon.read_hello();
  EXPECT_EQ(hello.protocol(), proto::kProtocolVersion);
  EXPECT_EQ(hello.build(), build_id());
  EXPECT_EQ(hello.role(), "worker");
  EXPECT_EQ(hello.runtime(), "fake");
  EXPECT_EQ(hello.runtime_version(), "1.0");
}

TEST(WorkerStart, ADaemonThatRefusesTheHelloAndClosesEndsIt) {
  TestDaemon daemon;
  daemon.read_hello();
  daemon.close();
  EXPECT_EQ(daemon.exit_code(), kExitEnded);
}

TEST(WorkerStart, LoadingIsToldInHundredthsAndEndsInReady) {
  TestDaemon daemon;
  daemon.read_hello();
  daemon.load(3, 400);
  int told = 0;
  float last = -1;
  proto::FromWorker message = daemon.read();
  for (; message.has_loading(); message = daemon.read(), ++told) {
    EXPECT_GT(message.loading().progress(), last);
    last = message.loading().progress();
  }
  EXPECT_GE(told, 50);
  EXPECT_LE(told, 101);
  ASSERT_TRUE(message.has_ready());
  const proto::Ready& ready = message.ready();
  EXPECT_EQ(ready.lanes(), 3u);
  EXPECT_EQ(ready.window(), 400u);
  EXPECT_EQ(ready.vocabulary(), kTestVocabulary);
  EXPECT_GT(ready.kv_bytes(), 0u);
  EXPECT_EQ(ready.system_info(), "no machine");
  EXPECT_EQ(ready.capabilities_size(), 15);
  for (const proto::Capability& capability : ready.capabilities()) {
    EXPECT_NE(capability.holds(), !capability.reason().empty()) << capability.name();
  }
}

TEST(WorkerStart, ATuningIsToldWhereItWasAskedFor) {
  for (const bool asked : {false, true}) {
    TestDaemon daemon({.tuning = Tuning{.choice = {true, 3}, .candidates = {}, .remark = "none"}});
    daemon.read_hello();
    daemon.load(4, 512, asked);
    proto::FromWorker message = daemon.read();
    while (message.has_loading()) message = daemon.read();
    ASSERT_EQ(message.ready().has_tuning(), asked);
    EXPECT_EQ(message.ready().tuning().choice().threads(), asked ? 3u : 0u);
  }
}

TEST(WorkerStart, AModelThatCannotLoadSaysWhyAndEndsTheProcess) {
  TestDaemon daemon({.load_error = "model: no such file"});
  daemon.read_hello();
  daemon.load();
  proto::FromWorker message = daemon.read();
  while (message.has_loading()) message = daemon.read();
  ASSERT_TRUE(message.has_load_failed());
  EXPECT_EQ(proto::from_message(message.load_failed()).code, ErrorCode::io);
  EXPECT_EQ(message.load_failed().message(), "model: no such file");
  EXPECT_EQ(daemon.exit_code(), kExitLoadFailed);
}

TEST(WorkerStart, ALibraryThatThrowsWhileLoadingIsAFailureInWords) {
  TestDaemon daemon({.during_load = [] { throw std::runtime_error("bad magic"); }});
  daemon.read_hello();
  daemon.load();
  proto::FromWorker message = daemon.read();
  while (message.has_loading()) message = daemon.read();
  EXPECT_NE(message.load_failed().message().find("bad magic"), std::string::npos);
  EXPECT_EQ(daemon.exit_code(), kExitLoadFailed);
}

TEST(WorkerStart, MoreLanesThanTheRuntimeHoldsAreRefusedInNumbers) {
  TestDaemon daemon({.lanes = 2});
  daemon.read_hello();
  daemon.load(3);
  proto::FromWorker message = daemon.read();
  while (message.has_loading()) message = daemon.read();
  EXPECT_EQ(message.load_failed().field(), "lanes");
  EXPECT_EQ(daemon.exit_code(), kExitLoadFailed);
}

TEST(WorkerStart, AWindowOverTheRuntimesIsRefusedNotClamped) {
  TestDaemon daemon({.window = 300});
  daemon.read_hello();
  daemon.load(4, 301);
  proto::FromWorker message = daemon.read();
  while (message.has_loading()) message = daemon.read();
  EXPECT_EQ(message.load_failed().field(), "context");
  EXPECT_EQ(daemon.exit_code(), kExitLoadFailed);
}

TEST(WorkerStart, SubmitBeforeLoadIsAProtocolError) {
  TestDaemon daemon;
  daemon.submit(1, spec_of("hello", 4));
  EXPECT_EQ(daemon.exit_code(), kExitProtocol);
}

TEST(WorkerStart, ASecondLoadIsAProtocolError) {
  TestDaemon daemon;
  daemon.load_and_wait();
  daemon.load();
  EXPECT_EQ(daemon.exit_code(), kExitProtocol);
}

TEST(WorkerStart, ASubmitSentWhileLoadingIsAnsweredAfterReady) {
  TestDaemon daemon({.says = "ok"});
  daemon.read_hello();
  daemon.load();
  daemon.submit(1, spec_of("hi>", 8));
  proto::FromWorker message = daemon.read();
  while (message.has_loading()) message = daemon.read();
  ASSERT_TRUE(message.has_ready());
  EXPECT_EQ(daemon.read_answers({1})[1].text, "ok");
}

TEST(WorkerStart, PingIsAnsweredWhileLoading) {
  std::promise<void> loading, go_on;
  TestDaemon daemon({.during_load = [&] {
    loading.set_value();
    go_on.get_future().wait();
  }});
  daemon.read_hello();
  daemon.load();
  loading.get_future().wait();
  daemon.ping(7);
  proto::FromWorker message = daemon.read();
  while (message.has_loading()) message = daemon.read();
  EXPECT_EQ(message.pong().number(), 7u);
  go_on.set_value();
  EXPECT_TRUE(daemon.read().has_ready());
}

TEST(WorkerStart, DrainBeforeLoadEndsAtOnce) {
  TestDaemon daemon;
  daemon.drain();
  EXPECT_EQ(daemon.exit_code(), kExitEnded);
}

TEST(WorkerStart, ADaemonThatLeavesDuringALongLoadIsNoticed) {
  std::promise<void> loading, go_on;
  TestDaemon daemon({.during_load = [&] {
    loading.set_value();
    go_on.get_future().wait();
  }});
  daemon.load();
  loading.get_future().wait();
  daemon.close();
  EXPECT_TRUE(daemon.worker_stuck());
  go_on.set_value();
  EXPECT_EQ(daemon.exit_code(), kExitEnded);
}

}  // namespace
}  // namespace sluice::worker
