// Starting, cancelling, waiting and refusing.
#include "generation/generations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.h"
#include "generation/fake_worker_port.h"

namespace sluice::generation {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class GenerationsTest : public testing::Test {
 protected:
  GenerationId start(Heard& to, TimePoint now = kStart) {
    return generations.start(spec_of({1, 2, 3}), now, to.listener()).value();
  }
  FakeWorkerPort worker;
  Generations generations{worker, limits::queue_time_default};
  Heard heard, other;
};

TEST_F(GenerationsTest, AReadyWorkerIsAskedAtOnce) {
  const GenerationId id = start(heard);
  ASSERT_THAT(worker.submitted_ids(), ElementsAre(id));
  EXPECT_THAT(worker.submitted[0].second.prompt, ElementsAre(1, 2, 3));
  EXPECT_THAT(heard.facts, IsEmpty());
}

TEST_F(GenerationsTest, WhatCameBeforeTheWorkerIsAskedInOrderOfArrival) {
  worker.is_ready = false;
  const GenerationId first = start(heard);
  const GenerationId second = start(other);
  EXPECT_THAT(worker.submitted_ids(), IsEmpty());
  worker.is_ready = true;
  generations.on_worker_ready(kStart);
  EXPECT_THAT(worker.submitted_ids(), ElementsAre(first, second));
}

TEST_F(GenerationsTest, AWorkerThatIsLostBeforeItsReadinessIsToldIsNotAsked) {
  worker.is_ready = false;
  start(heard);
  generations.on_worker_ready(kStart);
  EXPECT_THAT(worker.submitted_ids(), IsEmpty());
  EXPECT_FALSE(generations.idle());
}

TEST_F(GenerationsTest, CancelTellsTheWorkerAndSilencesTheListener) {
  const GenerationId id = start(heard);
  generations.cancel(id);
  EXPECT_THAT(worker.cancelled, ElementsAre(id));
  generations.on_facts({{id, Accepted{}}, {id, Started{}}});
  EXPECT_THAT(heard.facts, IsEmpty());
  EXPECT_TRUE(generations.idle());
  EXPECT_EQ(generations.totals().cancelled, 1u);
}

TEST_F(GenerationsTest, CancelOfAWaitingOneDoesNotReachTheWorker) {
  worker.is_ready = false;
  generations.cancel(start(heard));
  worker.is_ready = true;
  generations.on_worker_ready(kStart);
  EXPECT_THAT(worker.cancelled, IsEmpty());
  EXPECT_THAT(worker.submitted_ids(), IsEmpty());
}

TEST_F(GenerationsTest, CancelOfAnEndedOrUnknownOneIsIgnored) {
  const GenerationId id = start(heard);
  generations.on_facts({{id, Failed{{ErrorCode::invalid, "no", {}}}}});
  generations.cancel(id);
  generations.cancel(GenerationId{4711});
  EXPECT_THAT(worker.cancelled, IsEmpty());
  EXPECT_EQ(generations.totals().cancelled, 0u);
}

TEST_F(GenerationsTest, WaitingForAWorkerIsBounded) {
  worker.is_ready = false;
  start(heard);
  start(other, kStart + std::chrono::seconds(1));
  ASSERT_EQ(generations.next_deadline(), kStart + limits::ready_wait_max);
  generations.on_tick(kStart + limits::ready_wait_max - std::chrono::nanoseconds(1));
  EXPECT_THAT(heard.facts, IsEmpty());
  generations.on_tick(kStart + limits::ready_wait_max);
  EXPECT_THAT(heard.facts, ElementsAre("failed:unavailable"));
  EXPECT_THAT(other.facts, IsEmpty());
  EXPECT_EQ(generations.next_deadline(), kStart + std::chrono::seconds(1) + limits::ready_wait_max);
}

TEST_F(GenerationsTest, WhatIsAtTheWorkerDoesNotWaitForIt) {
  start(heard);
  EXPECT_EQ(generations.next_deadline(), kStart + limits::queue_time_default);
  generations.on_tick(kStart + 2 * limits::ready_wait_max);
  EXPECT_THAT(heard.facts, IsEmpty());
}

TEST_F(GenerationsTest, WaitingForALaneIsBounded) {
  const GenerationId first = start(heard);
  const GenerationId second = start(other);
  generations.on_facts({{first, Accepted{}}});
  generations.on_tick(kStart + limits::queue_time_default);
  EXPECT_THAT(heard.facts, ElementsAre("accepted", "failed:queue_timeout"));
  EXPECT_THAT(other.facts, ElementsAre("failed:queue_timeout"));
  EXPECT_THAT(worker.cancelled, ElementsAre(first, second));
  EXPECT_EQ(generations.next_deadline(), std::nullopt);
}

TEST_F(GenerationsTest, WhatHasALaneHasWaitedLongEnough) {
  const GenerationId id = start(heard);
  generations.on_facts({{id, Accepted{}}, {id, Started{}}});
  EXPECT_EQ(generations.next_deadline(), std::nullopt);
  generations.on_tick(kStart + 2 * limits::queue_time_default);
  EXPECT_THAT(heard.facts, ElementsAre("accepted", "started"));
}

TEST_F(GenerationsTest, OneWhoseAnswerHasBegunWaitsOn) {
  const GenerationId id = start(heard);
  generations.wait_on(id);
  generations.wait_on(GenerationId{4711});
  generations.on_tick(kStart + 2 * limits::queue_time_default);
  EXPECT_THAT(heard.facts, IsEmpty());
}

TEST_F(GenerationsTest, AWorkerIsToldTheTimeThatIsLeft) {
  worker.is_ready = false;
  GenerationSpec spec = spec_of({1});
  spec.time_left = std::chrono::seconds(10);
  ASSERT_TRUE(generations.start(spec, kStart, heard.listener()));
  worker.is_ready = true;
  generations.on_worker_ready(kStart + std::chrono::seconds(4));
  ASSERT_EQ(worker.submitted.size(), 1u);
  EXPECT_EQ(worker.submitted[0].second.time_left, std::chrono::seconds(6));
}

TEST_F(GenerationsTest, OneThatIsRefusedWhereItIsLateIsSubmittedWithTheTimeItMayWait) {
  GenerationSpec spec = spec_of({1});
  ASSERT_TRUE(generations.start(spec, kStart, heard.listener()));
  spec.refuse_late = true;
  ASSERT_TRUE(generations.start(spec, kStart, heard.listener()));
  ASSERT_EQ(worker.submitted.size(), 2u);
  EXPECT_FALSE(worker.submitted[0].second.lane_within);
  EXPECT_EQ(worker.submitted[1].second.lane_within, limits::queue_time_default);
}

TEST_F(GenerationsTest, NoWorkerIsAskedForWhatIsOver) {
  worker.is_ready = false;
  GenerationSpec spec = spec_of({1});
  spec.time_left = std::chrono::seconds(10);
  ASSERT_TRUE(generations.start(spec, kStart, heard.listener()));
  EXPECT_EQ(generations.next_deadline(), kStart + std::chrono::seconds(10));
  worker.is_ready = true;
  generations.on_worker_ready(kStart + std::chrono::seconds(10));
  EXPECT_THAT(heard.facts, ElementsAre("failed:timed_out"));
  EXPECT_THAT(worker.submitted_ids(), IsEmpty());
}

TEST_F(GenerationsTest, OneMoreThanTheLimitIsRefusedUntilOneEnds) {
  std::vector<GenerationId> ids;
  for (size_t i = 0; i < limits::live_generations_max; ++i) ids.push_back(start(heard));
  const auto refused = generations.start(spec_of({1}), kStart, other.listener());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::overloaded);
  EXPECT_EQ(generations.totals().refused, 1u);
  generations.cancel(ids[5]);
  EXPECT_TRUE(generations.start(spec_of({1}), kStart, other.listener()));
}

TEST_F(GenerationsTest, DrainingRefusesNewOnesAndKeepsTheOthers) {
  const GenerationId id = start(heard);
  generations.refuse_new();
  const auto refused = generations.start(spec_of({1}), kStart, other.listener());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
  generations.on_facts({{id, Accepted{}}});
  EXPECT_THAT(heard.facts, ElementsAre("accepted"));
}

}  // namespace
}  // namespace sluice::generation
