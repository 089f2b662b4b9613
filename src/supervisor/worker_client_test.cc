// A worker that behaves, and one that is refused.
#include "supervisor/worker_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "supervisor/worker_test_fixture.h"

namespace sluice::supervisor {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

using WorkerClientTest = WorkerTest;

TEST_F(WorkerClientTest, LoadsAndReports) {
  ASSERT_TRUE(start_ready("good"));
  EXPECT_THAT(states, ElementsAre("starting", "loading", "ready"));
  EXPECT_THAT(loading, ElementsAre(0.5f));
  EXPECT_EQ(client->report().lanes, 4u);
  EXPECT_EQ(client->report().window, 512u);
  EXPECT_EQ(client->report().runtime_version, "test 7");
  EXPECT_EQ(client->report().system_info, "test system");
  EXPECT_GT(client->resident_bytes(), 0u);
}

TEST_F(WorkerClientTest, TwoGenerationsAreAnsweredInOrder) {
  ASSERT_TRUE(start_ready("good"));
  submit(1, 65, 1);
  submit(2, 66, 1);
  ASSERT_TRUE(run_until_told(2, "finished"));
  EXPECT_THAT(told, ElementsAre(Pair(1, "accepted"), Pair(1, "started"), Pair(1, "output 65"), Pair(1, "finished"),
                                Pair(2, "accepted"), Pair(2, "started"), Pair(2, "output 66"), Pair(2, "finished")));
  EXPECT_EQ(client->report().steps, 4u);
  EXPECT_EQ(client->report().stats.calls(), 4u);
}

TEST_F(WorkerClientTest, EveryStepIsAcknowledgedAfterItsFactsWereTaken) {
  ASSERT_TRUE(start_ready("good"));
  submit(1, 65, 1);
  ASSERT_TRUE(run_until_line("ack 2"));
  EXPECT_THAT(lines, ElementsAre("ack 1", "ack 2"));
}

TEST_F(WorkerClientTest, CancelReachesTheWorker) {
  ASSERT_TRUE(start_ready("good"));
  submit(7, 65, 2);
  client->cancel(GenerationId{7});
  EXPECT_TRUE(run_until_line("cancel 7"));
}

TEST_F(WorkerClientTest, CancelWithoutAWorkerIsIgnored) {
  client = std::make_unique<WorkerClient>(loop.core, options_of("good"), events());
  client->cancel(GenerationId{7});
  loop.settle();
  EXPECT_EQ(client->state(), WorkerState::stopped);
}

TEST_F(WorkerClientTest, MorePromptsThanTheOutboxHoldsAreAllSent) {
  ASSERT_TRUE(start_ready("good"));
  GenerationSpec spec;
  spec.prompt.assign(limits::window_tokens_max, 1 << 30);  // 5 bytes a token: 5 MiB, of which 6 fit
  spec.max_tokens = 1;
  for (uint64_t id = 1; id <= 16; ++id) client->submit(GenerationId{id}, spec);
  client->cancel(GenerationId{16});  // not sent yet: taken back
  submit(17, 65, 1);
  ASSERT_TRUE(run_until_told(17, "finished"));
  EXPECT_EQ(std::ranges::count_if(told, [](const auto& fact) { return fact.second == "finished"; }), 16);
  EXPECT_THAT(deaths, IsEmpty());
  EXPECT_EQ(std::ranges::count(lines, "cancel 16"), 0);
}

TEST_F(WorkerClientTest, AGenerationThatNoFrameHoldsFails) {
  ASSERT_TRUE(start_ready("good"));
  GenerationSpec spec;
  spec.prompt = {1};
  spec.stop = {std::string(limits::frame_bytes_max, 'x')};
  client->submit(GenerationId{1}, spec);
  EXPECT_THAT(told, IsEmpty()) << "called back from within";
  EXPECT_TRUE(run_until_told(1, "failed too_large"));
}

TEST_F(WorkerClientTest, AnotherBuildIsRefusedInWordsAndNotTriedAgain) {
  for (const char* script : {"wrong-version", "wrong-build", "wrong-role"}) {
    states.clear();
    start(options_of(script));
    ASSERT_TRUE(run_until_state("failed"));
    EXPECT_EQ(client->load_error().code, ErrorCode::protocol) << script;
    EXPECT_THAT(states, ElementsAre("starting", "failed"));
    EXPECT_EQ(client->pid(), 0);
  }
  EXPECT_THAT(client->load_error().message, HasSubstr("says that it is a 'cook'"));
}

TEST_F(WorkerClientTest, AModelThatCannotLoadIsNotTriedAgain) {
  start(options_of("load-fails"));
  ASSERT_TRUE(run_until_state("failed"));
  EXPECT_EQ(client->load_error().message, "no model at /models/m.gguf");
  EXPECT_EQ(client->counts().starts, 1u);
  EXPECT_THAT(deaths, IsEmpty());
}

TEST_F(WorkerClientTest, AProgramThatIsNotThereIsNamed) {
  WorkerClient::Options options = options_of("good");
  options.executable = "/nonexistent/worker";
  start(std::move(options));
  ASSERT_TRUE(run_until_state("failed"));
  EXPECT_THAT(client->load_error().message, HasSubstr("cannot run /nonexistent/worker"));
}

TEST_F(WorkerClientTest, OneThatIsNeverReadyIsGivenUpWithItsLastWords) {
  start(options_of("exit-at-once"));
  ASSERT_TRUE(run_until_state("failed"));
  EXPECT_EQ(client->load_error().message, "the worker process exited with 5\ncannot go on");
  EXPECT_EQ(client->counts().starts, static_cast<uint64_t>(limits::first_start_deaths_max));
}

TEST_F(WorkerClientTest, HelloAndLoadingAreBounded) {
  WorkerClient::Options options = options_of("never-hello");
  options.timing.hello_max = 5ms;
  start(std::move(options));
  ASSERT_TRUE(run_until_state("failed"));
  EXPECT_THAT(client->load_error().message, HasSubstr("did not say Hello within 0.005 s"));

  states.clear();
  options = options_of("never-ready");
  options.load_max = 5ms;
  start(std::move(options));
  ASSERT_TRUE(run_until_state("failed"));
  EXPECT_THAT(client->load_error().message, HasSubstr("did not load its model within 0.005 s"));
}

TEST_F(WorkerClientTest, DrainEndsItByItself) {
  ASSERT_TRUE(start_ready("good"));
  client->drain();
  ASSERT_TRUE(run_until_state("stopped"));
  EXPECT_THAT(states, ElementsAre("starting", "loading", "ready", "draining", "stopped"));
  EXPECT_EQ(client->counts().deaths, 0u);
}

TEST_F(WorkerClientTest, ADeathInDrainIsToldAndNotReplaced) {
  ASSERT_TRUE(start_ready("dies-in-drain"));
  client->drain();
  ASSERT_TRUE(run_until_state("stopped"));
  EXPECT_THAT(states, ElementsAre("starting", "loading", "ready", "draining", "lost", "stopped"));
}

TEST_F(WorkerClientTest, DrainBeforeItIsReadyStopsIt) {
  start(options_of("never-ready"));
  client->drain();
  EXPECT_EQ(client->pid(), 0);
  ASSERT_TRUE(run_until_state("stopped"));
}

TEST_F(WorkerClientTest, StopKillsItAndTakesBackWhatIsNotToldYet) {
  ASSERT_TRUE(start_ready("good"));
  const int pid = client->pid();
  submit(1, 65, 2);
  ASSERT_TRUE(run_until_told(1, "accepted"));
  told.clear();
  client->stop();
  EXPECT_TRUE(is_gone(pid));
  ASSERT_TRUE(run_until_state("stopped"));
  EXPECT_THAT(told, IsEmpty());
  EXPECT_THAT(deaths, IsEmpty());
}

TEST_F(WorkerClientTest, ItsEndKillsTheProcessAndSilencesIt) {
  ASSERT_TRUE(start_ready("good"));
  const int pid = client->pid();
  states.clear();
  client.reset();
  EXPECT_TRUE(is_gone(pid));
  loop.settle();
  EXPECT_THAT(states, IsEmpty());
}

}  // namespace
}  // namespace sluice::supervisor
