// What a worker says, in order and out of order, and what listeners do while they are told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.h"
#include "generation/fake_worker_port.h"
#include "generation/generations.h"

namespace sluice::generation {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class GenerationFactsTest : public testing::Test {
 protected:
  GenerationId start(Generations::Listener listener) {
    return generations.start(spec_of({1, 2, 3}, 4), kStart, std::move(listener)).value();
  }
  FakeWorkerPort worker;
  Generations generations{worker, limits::queue_time_default};
  Heard heard, other;
};

TEST_F(GenerationFactsTest, EveryFactIsToldInOrderAndCounted) {
  const GenerationId id = start(heard.listener());
  EXPECT_EQ(generations.counts().waiting, 1u);
  generations.on_facts({{id, Accepted{}}, {id, Started{.cached_tokens = 2}}, {id, output_of({7, 8}, "ab")}});
  EXPECT_EQ(generations.counts().running, 1u);
  EXPECT_EQ(generations.counts().waiting, 0u);
  generations.on_facts({{id, output_of({9}, "c")}, {id, Finished{}}});
  EXPECT_THAT(heard.facts, ElementsAre("accepted", "started", "output:ab", "output:c", "finished"));
  EXPECT_TRUE(generations.idle());
  const Totals& totals = generations.totals();
  EXPECT_EQ(totals.prompt_tokens, 3u);
  EXPECT_EQ(totals.cached_tokens, 2u);
  EXPECT_EQ(totals.completion_tokens, 3u);
  EXPECT_EQ(totals.finished, 1u);
  EXPECT_EQ(totals.failed, 0u);
}

TEST_F(GenerationFactsTest, AGenerationKeepsWhatContinuingItNeeds) {
  Generation generation(spec_of({1, 2}, 4), kStart);
  generation.submitted(kStart);
  ASSERT_TRUE(generation.apply(Accepted{}));
  ASSERT_TRUE(generation.apply(Started{}));
  ASSERT_TRUE(generation.apply(output_of({5, 6}, "he")));
  ASSERT_TRUE(generation.apply(output_of({7}, "y")));
  EXPECT_THAT(generation.produced(), ElementsAre(5, 6, 7));
  EXPECT_EQ(generation.delivered_text(), "hey");
  EXPECT_THAT(generation.spec().prompt, ElementsAre(1, 2));
}

TEST_F(GenerationFactsTest, ARefusalByTheWorkerEndsIt) {
  const GenerationId id = start(heard.listener());
  generations.on_facts({{id, Failed{{ErrorCode::context_length, "too long", "messages"}}}});
  EXPECT_THAT(heard.facts, ElementsAre("failed:context_length"));
  EXPECT_EQ(heard.error.message, "too long");
  EXPECT_EQ(heard.error.field, "messages");
  EXPECT_THAT(worker.cancelled, IsEmpty());
}

TEST_F(GenerationFactsTest, OneThatFailsIsARefusedOneUntilItIsAccepted) {
  const GenerationId refused = start(heard.listener());
  const GenerationId failed = start(other.listener());
  generations.on_facts({{refused, Failed{{ErrorCode::queue_too_long, "others go before it", ""}}}});
  generations.on_facts({{failed, Accepted{}}, {failed, Failed{{ErrorCode::fault, "lost", ""}}}});
  EXPECT_EQ(generations.totals().refused, 1u);
  EXPECT_EQ(generations.totals().failed, 1u);
}

TEST_F(GenerationFactsTest, OneWhoseTimeIsOverBeforeItHasALaneFinishes) {
  const GenerationId id = start(heard.listener());
  generations.on_facts({{id, Accepted{}}, {id, Finished{FinishReason::deadline, {}, {}, {}}}});
  EXPECT_THAT(heard.facts, ElementsAre("accepted", "finished"));
  EXPECT_TRUE(generations.idle());
}

TEST_F(GenerationFactsTest, AFactOutOfOrderFailsOnlyItsGeneration) {
  const std::vector<std::vector<proto::GenerationFact>> illegal = {
      {Started{}},
      {output_of({1}, "a")},
      {Finished{}},
      {Accepted{}, Accepted{}},
      {Accepted{}, output_of({1}, "a")},
      {Accepted{}, Finished{}},
      {Accepted{}, Started{}, Started{}},
      {Accepted{}, Started{}, Accepted{}},
      {Accepted{}, Started{.cached_tokens = 4}},                   // the prompt has 3
      {Accepted{}, Started{}, output_of({1, 2, 3, 4, 5}, "abc")},  // 4 were asked for
  };
  const GenerationId neighbour = start(other.listener());
  for (const auto& sequence : illegal) {
    Heard told;
    const GenerationId id = start(told.listener());
    for (const auto& fact : sequence) generations.on_facts({{id, fact}});
    generations.on_facts({{id, Finished{}}});  // of one that ended: dropped
    ASSERT_EQ(told.facts.size(), sequence.size());
    EXPECT_EQ(told.facts.back(), "failed:protocol");
    EXPECT_EQ(worker.cancelled.back(), id);
  }
  generations.on_facts({{neighbour, Accepted{}}});
  EXPECT_THAT(other.facts, ElementsAre("accepted"));
}

TEST_F(GenerationFactsTest, WhoWaitsIsCountedByClassUntilItHasALane) {
  GenerationSpec spec = spec_of({1, 2, 3}, 4);
  spec.cls = Class::background;
  const GenerationId id = generations.start(spec, kStart, other.listener()).value();
  start(heard.listener());
  const auto waiting_of = [this](Class cls) { return generations.counts().waiting_of[static_cast<size_t>(cls)]; };
  EXPECT_EQ(waiting_of(Class::background), 1u);
  EXPECT_EQ(waiting_of(Class::agent), 1u);
  generations.on_facts({{id, Accepted{}}, {id, Started{}}});
  EXPECT_EQ(waiting_of(Class::background), 0u);
  EXPECT_EQ(waiting_of(Class::agent), 1u);
}

TEST_F(GenerationFactsTest, AListenerMayCancelItself) {
  GenerationId id;
  std::vector<std::string> told;
  const auto marker = std::make_shared<std::string>("alive");
  id = start([&, marker](const proto::GenerationFact& fact) {
    generations.cancel(id);
    told.push_back(words_of(fact) + ":" + *marker);  // what the listener holds outlives its cancel
  });
  generations.on_facts({{id, Accepted{}}, {id, Started{}}});
  EXPECT_THAT(told, ElementsAre("accepted:alive"));
  EXPECT_THAT(worker.cancelled, ElementsAre(id));
}

TEST_F(GenerationFactsTest, AListenerMayCancelItsNeighbourOfTheSameFrame) {
  GenerationId second;
  const GenerationId first = start([&](const proto::GenerationFact&) { generations.cancel(second); });
  second = start(other.listener());
  generations.on_facts({{first, Accepted{}}, {second, Accepted{}}});
  EXPECT_THAT(other.facts, IsEmpty());
  EXPECT_EQ(generations.counts().waiting, 1u);
}

TEST_F(GenerationFactsTest, AListenerMayStartMoreAndFindsItsOwnPlaceFree) {
  bool idle_when_told = false;
  const GenerationId id = start([&](const proto::GenerationFact&) {
    idle_when_told = generations.idle();
    for (int i = 0; i < 100; ++i) start(other.listener());
  });
  generations.on_facts({{id, Failed{}}});
  EXPECT_TRUE(idle_when_told);
  EXPECT_EQ(generations.counts().waiting, 100u);
  EXPECT_EQ(worker.submitted.size(), 101u);
}

}  // namespace
}  // namespace sluice::generation
