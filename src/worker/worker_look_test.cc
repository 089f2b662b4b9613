// A daemon that asks how its generations stand.
#include "base/limits.h"
#include "worker/test_daemon.h"

namespace sluice::worker {
namespace {

TEST(WorkerLook, AnIdleWorkerSaysThatNobodyLives) {
  TestDaemon daemon;
  daemon.load_and_wait();
  daemon.look(5);
  const proto::Standings answer = daemon.read_standings();
  EXPECT_EQ(answer.number(), 5u);
  EXPECT_EQ(answer.standings_size(), 0);
}

// One that takes no frame stops the worker, so that what it says is of one moment.
TEST(WorkerLook, WhoHasALaneAndWhoHasNoneAreToldApart) {
  TestDaemon daemon;
  daemon.load_and_wait(1);
  daemon.submit(1, endless("hello"));
  daemon.submit(2, endless("and I"));
  while (daemon.read_events().step() < limits::unacknowledged_steps_max) {
  }
  daemon.look(1);
  const auto standings = proto::standings_of(daemon.read_standings());
  ASSERT_TRUE(standings);
  ASSERT_EQ(standings->size(), 2u);
  const Standing& runs = standings->at(0);
  EXPECT_EQ(runs.generation, GenerationId{1});
  EXPECT_EQ(runs.doing, Doing::decode);
  EXPECT_EQ(runs.waits_for, WaitsFor::daemon);
  EXPECT_EQ(runs.sequence, SequenceId{0});
  EXPECT_EQ(runs.computed, 5 + daemon.answers()[1].tokens.size() - 1);
  const Standing& waits = standings->at(1);
  EXPECT_EQ(waits.generation, GenerationId{2});
  EXPECT_EQ(waits.doing, Doing::waiting);
  EXPECT_FALSE(waits.sequence);
  EXPECT_GT(waits.timings.queued, Duration::zero());
}

TEST(WorkerLook, AnAnswerComesBehindWhatWasSaidBeforeIt) {
  TestDaemon daemon;
  daemon.load_and_wait();
  daemon.submit(7, endless("hello"));
  daemon.look(2);
  const proto::Standings answer = daemon.read_standings();
  ASSERT_EQ(answer.standings_size(), 1);
  EXPECT_TRUE(daemon.answers()[7].accepted);
}

}  // namespace
}  // namespace sluice::worker
