#include "daemon/live_view.h"

#include <gtest/gtest.h>

#include "generation/fake_worker_port.h"

namespace sluice::daemon {
namespace {

using namespace std::chrono_literals;
using api::Whereabouts;

class LiveViewTest : public testing::Test {
 protected:
  GenerationId start(GenerationSpec spec = generation::spec_of({1, 2, 3})) {
    return generations.start(std::move(spec), generation::kStart, heard.listener()).value();
  }
  generation::FakeWorkerPort worker;
  generation::Generations generations{worker, 1h};
  generation::Heard heard;
};

TEST_F(LiveViewTest, EveryStateIsToldAsFarAsTheDaemonKnowsIt) {
  worker.is_ready = false;
  start();
  worker.is_ready = true;
  const GenerationId accepted = [this] {
    start();  // sent, and not accepted yet
    return start();
  }();
  const GenerationId running = start();
  generations.on_facts({{accepted, Accepted{}}, {running, Accepted{}}, {running, Started{}}});
  generations.on_facts({{running, generation::output_of({4, 5}, "ab")}});
  const api::LiveView view = live_view(generations, std::nullopt, generation::kStart + 2s);
  EXPECT_FALSE(view.worker_told);
  ASSERT_EQ(view.generations.size(), 4u);
  EXPECT_EQ(view.generations[0].where, Whereabouts::queued);
  EXPECT_EQ(view.generations[1].where, Whereabouts::queued);
  EXPECT_EQ(view.generations[2].where, Whereabouts::waiting);
  EXPECT_EQ(view.generations[3].where, Whereabouts::running);
  EXPECT_EQ(view.generations[3].answer_tokens, 2u);
  EXPECT_EQ(view.generations[3].prompt_tokens, 3u);
  EXPECT_EQ(view.generations[3].age, 2s);
  EXPECT_FALSE(view.generations[3].standing);
}

TEST_F(LiveViewTest, OfWhomItIsIsToldButTheNumberOfItsSession) {
  GenerationSpec spec = generation::spec_of({1}, 9);
  spec.cls = Class::background;
  spec.class_named = true;
  spec.key = 4;
  spec.session = 12345;
  start(spec);
  const api::LiveGeneration told = live_view(generations, std::nullopt, generation::kStart).generations.at(0);
  EXPECT_EQ(told.cls, Class::background);
  EXPECT_TRUE(told.class_named);
  EXPECT_EQ(told.key, 4u);
  EXPECT_TRUE(told.has_session);
  EXPECT_EQ(told.max_tokens, 9u);
}

TEST_F(LiveViewTest, TheWorkersWordIsOfThoseThatStillLive) {
  const GenerationId lives = start();
  const GenerationId unknown = start();
  Standing of_it, of_one_that_ended;
  of_it.generation = lives;
  of_it.computed = 77;
  of_one_that_ended.generation = GenerationId{99};
  const api::LiveView view = live_view(generations, std::vector{of_it, of_one_that_ended}, generation::kStart);
  EXPECT_TRUE(view.worker_told);
  ASSERT_EQ(view.generations.size(), 2u);
  EXPECT_EQ(view.generations[0].standing->computed, 77u);
  EXPECT_EQ(view.generations[1].id, unknown);
  EXPECT_FALSE(view.generations[1].standing);
}

}  // namespace
}  // namespace sluice::daemon
