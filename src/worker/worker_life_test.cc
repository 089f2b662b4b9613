// Cancel, back-pressure, drain, faults, and a daemon that goes away.
#include "base/limits.h"
#include "worker/exit_codes.h"
#include "worker/test_daemon.h"

namespace sluice::worker {
namespace {

// Holds the first pass up from `computing` until `go_on`.
std::function<void(Duration)> blocked_once(std::promise<void>& computing, std::promise<void>& go_on) {
  return [&, first = true](Duration) mutable {
    if (!std::exchange(first, false)) return;
    computing.set_value();
    go_on.get_future().wait();
  };
}

// Reads and acknowledges until `id` has had `tokens` tokens.
void read_tokens(TestDaemon& daemon, uint64_t id, size_t tokens) {
  while (daemon.answers()[id].tokens.size() < tokens && !testing::Test::HasFailure()) daemon.take_events();
}

// Reads and acknowledges up to the answer to a Submit; returns the stats that it found.
proto::WorkerStats stats_after(TestDaemon& daemon, uint64_t id) {
  for (;;) {
    const proto::Events events = daemon.take_events();
    if (daemon.answers()[id].ended() || testing::Test::HasFailure()) return events.stats();
  }
}

TEST(WorkerCancel, OfARunningGenerationFreesItsLaneWithoutAWord) {
  TestDaemon daemon;
  daemon.load_and_wait(1);
  daemon.submit(1, endless());
  read_tokens(daemon, 1, 5);
  daemon.cancel(1);
  daemon.submit(2, spec_of("next", 3));
  EXPECT_EQ(stats_after(daemon, 2).lanes_busy(), 0u);
  EXPECT_FALSE(daemon.answers()[1].ended());
  EXPECT_TRUE(daemon.answers()[2].finished);
}

TEST(WorkerCancel, OfTheOnlyGenerationTellsThatItsLaneIsFree) {
  TestDaemon daemon;
  daemon.load_and_wait(1);
  daemon.submit(1, endless());
  read_tokens(daemon, 1, 5);
  daemon.cancel(1);
  proto::Events events = daemon.take_events();
  while (events.step() > 0) events = daemon.take_events();
  EXPECT_EQ(events.stats().lanes_busy(), 0u);
}

TEST(WorkerCancel, OfAWaitingGenerationLeavesTheOthersAlone) {
  TestDaemon daemon;
  daemon.load_and_wait(1);
  daemon.submit(1, endless());
  read_tokens(daemon, 1, 2);
  daemon.submit(2, endless("waits"));
  while (!daemon.answers()[2].accepted && !HasFailure()) daemon.take_events();
  daemon.cancel(2);
  daemon.submit(3, spec_of("waits too", 3));
  daemon.read_answers({1, 3});
  EXPECT_TRUE(daemon.answers()[2].accepted);
  EXPECT_FALSE(daemon.answers()[2].cached_tokens);
  EXPECT_EQ(daemon.answers()[1].finished->usage.completion_tokens, 480u);
}

TEST(WorkerCancel, OfAPrefillingGenerationFreesItsLane) {
  std::promise<void> computing, go_on;
  TestDaemon daemon({.wait = blocked_once(computing, go_on)});
  daemon.load_and_wait(1);
  daemon.submit(1, endless(std::string(490, 'p')));
  daemon.read_events();
  computing.get_future().wait();
  daemon.cancel(1);
  daemon.submit(2, spec_of("next", 3));
  daemon.ping(1);
  daemon.read_pong();  // so the letters before it have come
  go_on.set_value();
  EXPECT_EQ(stats_after(daemon, 2).lanes_busy(), 0u);
  EXPECT_TRUE(daemon.answers()[1].tokens.empty());
}

TEST(WorkerCancel, TogetherWithItsSubmitAnswersAcceptedOnly) {
  TestDaemon daemon;
  daemon.load_and_wait(1);
  proto::ToWorker submit, cancel;
  *submit.mutable_submit() = proto::to_message(GenerationId{1}, endless());
  cancel.mutable_cancel()->set_generation(1);
  std::string frames;
  ASSERT_TRUE(proto::append_frame(submit, frames));
  ASSERT_TRUE(proto::append_frame(cancel, frames));
  daemon.send_raw(frames);
  daemon.submit(2, spec_of("next", 3));
  daemon.read_answers({2});
  EXPECT_FALSE(daemon.answers()[1].ended());
}

TEST(WorkerBackPressure, WithoutAcksTheWorkerStopsAtItsBoundAndGoesOnWithOne) {
  TestDaemon daemon;
  daemon.load_and_wait();
  daemon.submit(1, endless());
  daemon.read_events();
  for (uint64_t step = 1; step <= limits::unacknowledged_steps_max; ++step) {
    ASSERT_EQ(daemon.read_events().step(), step);
  }
  // Each Submit is answered before the next plan: a step between the two answers would be seen.
  for (const uint64_t id : {2, 3}) {
    daemon.submit(id, endless("more"));
    EXPECT_EQ(daemon.read_events().step(), 0u);
    EXPECT_TRUE(daemon.answers()[id].accepted);
  }
  daemon.ack(1);
  EXPECT_EQ(daemon.read_events().step(), limits::unacknowledged_steps_max + 1);
  daemon.ack(limits::unacknowledged_steps_max + 1);
  EXPECT_EQ(daemon.read_events().step(), limits::unacknowledged_steps_max + 2);
}

TEST(WorkerDrain, FinishesWhatLivesAndEnds) {
  TestDaemon daemon({.says = "a long goodbye"});
  daemon.load_and_wait(1);
  daemon.submit(1, spec_of("one>", 50));
  daemon.submit(2, spec_of("two>", 50));
  daemon.drain();
  auto answers = daemon.read_answers({1, 2});
  EXPECT_EQ(answers[1].text, "a long goodbye");
  EXPECT_EQ(answers[2].text, "a long goodbye");
  EXPECT_EQ(daemon.exit_code(), kExitEnded);
}

TEST(WorkerDrain, OfAnIdleWorkerEndsItAtOnce) {
  TestDaemon daemon;
  daemon.load_and_wait();
  daemon.drain();
  EXPECT_EQ(daemon.exit_code(), kExitEnded);
}

TEST(WorkerDrain, RefusesASubmitThatComesLate) {
  TestDaemon daemon;
  daemon.load_and_wait();
  daemon.submit(1, endless());
  read_tokens(daemon, 1, 1);
  daemon.drain();
  daemon.submit(2, spec_of("late", 3));
  EXPECT_EQ(daemon.read_answers({2})[2].failed->code, ErrorCode::unavailable);
  EXPECT_EQ(daemon.read_answers({1})[1].finished->usage.completion_tokens, 480u);
  EXPECT_EQ(daemon.exit_code(), kExitEnded);
}

TEST(WorkerFault, OfTheRuntimeFailsTheCallsGenerationsAndServesTheNext) {
  TestDaemon daemon({.faults = {{FakeFault::fault, 3}}});
  daemon.load_and_wait();
  EXPECT_EQ(daemon.answer(1, endless()).failed->code, ErrorCode::fault);
  EXPECT_TRUE(daemon.answer(2, spec_of("next", 3)).finished);
}

TEST(WorkerFault, NoRoomDropsWhatIsCachedAndIsPlannedAgain) {
  TestDaemon daemon({.says = "steady", .faults = {{FakeFault::capacity, 9}}});
  daemon.load_and_wait();
  EXPECT_EQ(daemon.answer(1, spec_of("one>", 50)).text, "steady");  // calls 1 to 7
  EXPECT_EQ(daemon.answer(2, spec_of("two>", 50)).text, "steady");
}

TEST(WorkerFault, NoRoomWithNothingToDropFailsWhatRuns) {
  TestDaemon daemon({.says = "steady", .faults = {{FakeFault::capacity, 2}}});
  daemon.load_and_wait();
  EXPECT_EQ(daemon.answer(1, spec_of("one>", 50)).failed->code, ErrorCode::capacity);
  EXPECT_EQ(daemon.answer(2, spec_of("two>", 50)).text, "steady");
}

TEST(WorkerFault, AFatalErrorFailsEverythingAndEndsTheProcess) {
  TestDaemon daemon({.faults = {{FakeFault::fatal, 200}}});  // both have come by then
  daemon.load_and_wait(1);
  daemon.submit(1, endless());
  daemon.submit(2, endless("waits"));
  auto answers = daemon.read_answers({1, 2});
  EXPECT_EQ(answers[1].failed->code, ErrorCode::fatal);
  EXPECT_EQ(answers[2].failed->code, ErrorCode::fatal);
  EXPECT_EQ(daemon.exit_code(), kExitFatal);
}

TEST(WorkerLiveness, PingIsAnsweredWhileAStepHangs) {
  TestDaemon daemon({.faults = {{FakeFault::hang, 2}}});
  daemon.load_and_wait();
  daemon.submit(1, endless());
  read_tokens(daemon, 1, 1);
  proto::Pong pong;
  for (uint64_t number = 1; pong.running_step_us() == 0; ++number) {  // until the second step has begun
    daemon.ping(number);
    pong = daemon.read_pong();
    ASSERT_EQ(pong.number(), number);
    ASSERT_FALSE(testing::Test::HasFailure());
  }
  EXPECT_EQ(pong.step(), 1u);
  const uint64_t age = pong.running_step_us();
  daemon.ping(1000);
  EXPECT_GE(daemon.read_pong().running_step_us(), age);
}

TEST(WorkerLiveness, BetweenStepsNoneRuns) {
  TestDaemon daemon;
  daemon.load_and_wait();
  daemon.ping(1);
  const proto::Pong pong = daemon.read_pong();
  EXPECT_EQ(pong.step(), 0u);
  EXPECT_EQ(pong.running_step_us(), 0u);
}

TEST(WorkerLiveness, ADaemonThatLeavesMidStepHasTheStepAborted) {
  TestDaemon daemon({.faults = {{FakeFault::hang, 2}}});
  daemon.load_and_wait();
  daemon.submit(1, endless());
  read_tokens(daemon, 1, 1);
  daemon.close();
  EXPECT_EQ(daemon.exit_code(), kExitEnded);
}

TEST(WorkerLiveness, AStepThatIgnoresTheAbortIsFoundStuck) {
  std::promise<void> computing, go_on;
  TestDaemon daemon({.wait = blocked_once(computing, go_on)});
  daemon.load_and_wait();
  daemon.submit(1, endless());
  computing.get_future().wait();
  daemon.close();
  EXPECT_TRUE(daemon.worker_stuck());
  go_on.set_value();
  EXPECT_EQ(daemon.exit_code(), kExitEnded);
}

TEST(WorkerLiveness, AnIdleWorkerEndsWithItsDaemon) {
  TestDaemon daemon;
  daemon.load_and_wait();
  daemon.close();
  EXPECT_EQ(daemon.exit_code(), kExitEnded);
}

}  // namespace
}  // namespace sluice::worker
