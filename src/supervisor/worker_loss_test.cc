// A worker that dies, hangs or breaks the protocol, and its successor.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "supervisor/worker_client.h"
#include "supervisor/worker_test_fixture.h"

namespace sluice::supervisor {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class WorkerClientLossTest : public WorkerTest {
 protected:
  // The worker is lost for this reason, and its successor becomes ready.
  void expect_replaced(const std::string& words) {
    ASSERT_TRUE(loop.run_until([this] { return !deaths.empty(); }));
    EXPECT_EQ(deaths[0].code, ErrorCode::worker_lost);
    EXPECT_THAT(deaths[0].message, HasSubstr(words));
    const auto already = static_cast<int>(std::ranges::count(states, "ready"));
    ASSERT_TRUE(client->state() == WorkerState::ready || run_until_state("ready", already + 1));
  }
};

TEST_F(WorkerClientLossTest, AKilledWorkerIsToldAndReplaced) {
  ASSERT_TRUE(start_ready("good"));
  submit(1, 65, 2);
  ASSERT_TRUE(run_until_told(1, "output 65"));
  const int killed = client->pid();
  ASSERT_TRUE(signal_child(killed, SIGKILL));
  ASSERT_TRUE(run_until_state("ready", 2));
  EXPECT_THAT(states,
              ElementsAre("starting", "loading", "ready", "lost", "backing_off", "starting", "loading", "ready"));
  EXPECT_THAT(deaths[0].message, StartsWith("the worker process was killed by signal 9 (Killed)"));
  EXPECT_NE(client->pid(), killed);
  EXPECT_EQ(client->counts().starts, 2u);
  EXPECT_EQ(client->counts().deaths, 1u);
  submit(2, 66, 1);
  EXPECT_TRUE(run_until_told(2, "finished"));
}

TEST_F(WorkerClientLossTest, TheDeathNoticeCarriesWhatWasOnStderr) {
  ASSERT_TRUE(start_ready("good"));
  client->cancel(GenerationId{5});
  ASSERT_TRUE(run_until_line("cancel 5"));
  ASSERT_TRUE(signal_child(client->pid(), SIGKILL));
  ASSERT_TRUE(run_until_state("lost"));
  EXPECT_THAT(deaths[0].message, HasSubstr("\ncancel 5"));
}

TEST_F(WorkerClientLossTest, GarbageReplacesIt) {
  ASSERT_TRUE(start_ready("garbage-on-submit"));
  submit(1, 65, 1);
  expect_replaced("the worker process sent garbage");
}

TEST_F(WorkerClientLossTest, GarbageOversizedAndHalfFramesBeforeReadyReplaceIt) {
  for (const char* script : {"garbage-first", "oversized-first", "half-frame-first"}) {
    states.clear();
    ASSERT_TRUE(start_ready(script)) << script;
    EXPECT_EQ(client->counts().deaths, 1u) << script;
  }
}

TEST_F(WorkerClientLossTest, AStepThatHangsReplacesIt) {
  start(options_of("hung-step-first"));
  expect_replaced("hangs: its step has run for 1e+03 s");
}

TEST_F(WorkerClientLossTest, APongOfNoPingReplacesIt) {
  start(options_of("other-pong-first"));
  expect_replaced("answered a ping that was not sent");
}

TEST_F(WorkerClientLossTest, SilenceReplacesItAlsoWhileItIsIdle) {
  WorkerClient::Options options = options_of("silent-first");
  options.liveness.ping_interval = 100ms;
  options.liveness.hung_step_min = 1s;
  start(std::move(options));
  expect_replaced("has not answered for 1 s");
}

TEST_F(WorkerClientLossTest, AModelThatWasLoadedOnceIsTriedAgain) {
  ASSERT_TRUE(start_ready("load-fails-second"));
  ASSERT_TRUE(signal_child(client->pid(), SIGKILL));
  ASSERT_TRUE(run_until_state("ready", 2));
  ASSERT_EQ(deaths.size(), 2u);
  EXPECT_THAT(deaths[1].message, HasSubstr("could not load its model again: no model at"));
  EXPECT_EQ(client->counts().starts, 3u);
}

TEST_F(WorkerClientLossTest, StopEndsTheBackOff) {
  WorkerClient::Options options = options_of("good");
  options.timing.backoff.min = 1h;
  options.timing.backoff.max = 1h;
  start(std::move(options));
  ASSERT_TRUE(run_until_state("ready"));
  ASSERT_TRUE(signal_child(client->pid(), SIGKILL));
  ASSERT_TRUE(run_until_state("backing_off"));
  client->stop();
  ASSERT_TRUE(run_until_state("stopped"));
  client->start();
  EXPECT_TRUE(run_until_state("ready", 2));
}

TEST_F(WorkerClientLossTest, ItMayEndWhenItsLossIsTold) {
  bool told_loss = false;
  WorkerClient::Events own = events();
  own.on_lost = [&](const Error&) {
    client.reset();
    told_loss = true;
  };
  client = std::make_unique<WorkerClient>(loop.core, options_of("good"), std::move(own));
  client->start();
  ASSERT_TRUE(run_until_state("ready"));
  ASSERT_TRUE(signal_child(client->pid(), SIGKILL));
  EXPECT_TRUE(loop.run_until([&] { return told_loss; }));
  loop.settle();
}

}  // namespace
}  // namespace sluice::supervisor
