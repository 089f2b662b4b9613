// The worker dies, returns, or does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.h"
#include "generation/fake_worker_port.h"
#include "generation/generations.h"

namespace sluice::generation {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class WorkerLossTest : public testing::Test {
 protected:
  GenerationId start(Generations::Listener listener) {
    return generations.start(spec_of({1, 2, 3}), kStart, std::move(listener)).value();
  }
  void lose() {
    worker.is_ready = false;
    generations.on_worker_lost({ErrorCode::worker_lost, "killed by signal 9\nsecret stderr", {}});
  }
  void ready() {
    worker.is_ready = true;
    worker.submitted.clear();
    generations.on_worker_ready(kStart);
  }
  FakeWorkerPort worker;
  Generations generations{worker, limits::queue_time_default};
  Heard first, second, third;
};

TEST_F(WorkerLossTest, AcceptedAndRunningOnesFailAndSayHow) {
  const GenerationId accepted = start(first.listener());
  const GenerationId running = start(second.listener());
  generations.on_facts({{accepted, Accepted{}}, {running, Accepted{}}, {running, Started{}}});
  lose();
  EXPECT_EQ(first.facts.back(), "failed:worker_lost");
  EXPECT_EQ(second.facts.back(), "failed:worker_lost");
  EXPECT_EQ(second.error.message, "killed by signal 9");
  EXPECT_TRUE(generations.idle());
  EXPECT_THAT(worker.cancelled, IsEmpty());
}

TEST_F(WorkerLossTest, OneThatWasNotAcceptedIsSubmittedToTheNextWorkerOnce) {
  const GenerationId id = start(first.listener());
  lose();
  EXPECT_THAT(first.facts, IsEmpty());
  ready();
  EXPECT_THAT(worker.submitted_ids(), ElementsAre(id));
  lose();
  EXPECT_THAT(first.facts, ElementsAre("failed:worker_lost"));
}

TEST_F(WorkerLossTest, OneSubmittedAgainGoesOnAsAnyOther) {
  const GenerationId id = start(first.listener());
  lose();
  ready();
  generations.on_facts({{id, Accepted{}}, {id, Started{}}, {id, output_of({1}, "a")}, {id, Finished{}}});
  EXPECT_THAT(first.facts, ElementsAre("accepted", "started", "output:a", "finished"));
}

TEST_F(WorkerLossTest, ReturningOnesKeepTheirPlaceBeforeNewcomers) {
  const GenerationId before = start(first.listener());
  lose();
  const GenerationId after = start(second.listener());
  ready();
  EXPECT_THAT(worker.submitted_ids(), ElementsAre(before, after));
}

TEST_F(WorkerLossTest, WaitingOnesWaitOnWithTheirFirstDeadline) {
  worker.is_ready = false;
  start(first.listener());
  lose();
  EXPECT_THAT(first.facts, IsEmpty());
  EXPECT_EQ(generations.next_deadline(), kStart + limits::ready_wait_max);
}

TEST_F(WorkerLossTest, AListenerMayStartAgainAndCancelOthersWhenToldOfTheLoss) {
  GenerationId neighbour;
  const GenerationId id = start([&](const proto::GenerationFact& fact) {
    if (!std::holds_alternative<Failed>(fact)) return;
    generations.cancel(neighbour);
    start(third.listener());
  });
  neighbour = start(second.listener());
  generations.on_facts({{id, Accepted{}}, {neighbour, Accepted{}}});
  lose();
  EXPECT_THAT(second.facts, ElementsAre("accepted"));
  EXPECT_THAT(third.facts, IsEmpty());
  EXPECT_EQ(generations.counts().waiting, 1u);
}

TEST_F(WorkerLossTest, AWorkerThatWillNotComeBackFailsAllAndRefusesMore) {
  const GenerationId running = start(first.listener());
  generations.on_facts({{running, Accepted{}}, {running, Started{}}});
  worker.is_ready = false;
  start(second.listener());
  generations.on_worker_failed({ErrorCode::invalid, "the file is no model", {}});
  EXPECT_EQ(first.facts.back(), "failed:unavailable");
  EXPECT_THAT(second.facts, ElementsAre("failed:unavailable"));
  const auto refused = generations.start(spec_of({1}), kStart, third.listener());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
  EXPECT_THAT(refused.error().message, testing::HasSubstr("the file is no model"));
}

TEST_F(WorkerLossTest, EndAllFailsEverybodyWithItsOwnWords) {
  const GenerationId running = start(first.listener());
  generations.on_facts({{running, Accepted{}}, {running, Started{}}});
  worker.is_ready = false;
  start(second.listener());
  generations.end_all({ErrorCode::unavailable, "shutting down", {}});
  EXPECT_EQ(first.facts.back(), "failed:unavailable");
  EXPECT_THAT(second.facts, ElementsAre("failed:unavailable"));
  EXPECT_EQ(second.error.message, "shutting down");
  EXPECT_TRUE(generations.idle());
  const auto refused = generations.start(spec_of({1}), kStart, third.listener());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "shutting down");
}

}  // namespace
}  // namespace sluice::generation
