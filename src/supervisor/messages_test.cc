#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.h"
#include "proto/convert.h"
#include "supervisor/codec_messages.h"
#include "supervisor/worker_messages.h"

namespace sluice::supervisor {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

TEST(CodecMessages, RenderCarriesEveryPartOfAMessage) {
  const auto message = render_message({{"system", "be brief", ""}, {"user", "hi", "ann"}}, true);
  const proto::Render& render = message.render();
  EXPECT_TRUE(render.add_generation_prompt());
  ASSERT_EQ(render.messages_size(), 2);
  EXPECT_EQ(render.messages(1).role(), "user");
  EXPECT_EQ(render.messages(1).content(), "hi");
  EXPECT_EQ(render.messages(1).name(), "ann");
}

TEST(CodecMessages, TokenizeCarriesItsSwitches) {
  const auto message = tokenize_message("text", true, false);
  EXPECT_EQ(message.tokenize().text(), "text");
  EXPECT_TRUE(message.tokenize().add_special());
  EXPECT_FALSE(message.tokenize().parse_special());
}

TEST(CodecMessages, FactsOfAModelWithoutVocabularyAreABreach) {
  proto::VocabularyReady ready;
  EXPECT_EQ(facts_of(ready).error().code, ErrorCode::protocol);
  ready.set_vocabulary(0x80000000u);
  EXPECT_FALSE(facts_of(ready));
}

TEST(CodecMessages, FactsAreTakenOver) {
  proto::VocabularyReady ready;
  ready.set_model_name("m");
  ready.set_architecture("a");
  ready.set_vocabulary(10);
  ready.set_trained_window(20);
  ready.set_file_bytes(30);
  ready.set_has_chat_template(true);
  ready.set_kv_k_elements(40);
  ready.set_kv_v_elements(50);
  const VocabularyFacts facts = facts_of(ready).value();
  EXPECT_EQ(facts.model_name, "m");
  EXPECT_EQ(facts.architecture, "a");
  EXPECT_EQ(facts.vocabulary, 10u);
  EXPECT_EQ(facts.trained_window, 20u);
  EXPECT_EQ(facts.file_bytes, 30u);
  EXPECT_TRUE(facts.has_chat_template);
  EXPECT_EQ(facts.kv_k_elements, 40u);
  EXPECT_EQ(facts.kv_v_elements, 50u);
}

TEST(CodecMessages, ATokenOutsideTheVocabularyIsABreach) {
  VocabularyFacts facts;
  facts.vocabulary = 10;
  proto::Prompt prompt;
  prompt.add_tokens(0);
  prompt.add_tokens(9);
  EXPECT_THAT(tokens_of(prompt, facts).value(), ElementsAre(0, 9));
  for (const Token outside : {10, -1}) {
    prompt.set_tokens(1, outside);
    EXPECT_EQ(tokens_of(prompt, facts).error().code, ErrorCode::protocol);
  }
}

TEST(WorkerMessages, LoadCarriesEveryOption) {
  LoadOptions load{.model_path = "m.gguf",
                   .lanes = 3,
                   .window = 4,
                   .threads = 5,
                   .batch = 6,
                   .ubatch = 7,
                   .gpu_layers = -1,
                   .device = "gpu0",
                   .cache_type_k = "q8_0",
                   .cache_type_v = "f16",
                   .flash_attention = FlashAttention::off,
                   .tune = true,
                   .chunk_time = 250ms,
                   .class_lanes = {0, 0, 6, 2},
                   .pace = {90ms, 0ms, 0ms, 10ms},
                   .costs = {{3000, 500, 120, 40}, {}, 512, {}, {}, {}}};
  const auto message = load_message(load);
  const proto::Load& sent = message.load();
  EXPECT_EQ(sent.model_path(), "m.gguf");
  EXPECT_EQ(sent.lanes(), 3u);
  EXPECT_EQ(sent.window(), 4u);
  EXPECT_EQ(sent.threads(), 5u);
  EXPECT_EQ(sent.batch(), 6u);
  EXPECT_EQ(sent.ubatch(), 7u);
  EXPECT_EQ(sent.gpu_layers(), -1);
  EXPECT_EQ(sent.device(), "gpu0");
  EXPECT_EQ(sent.cache_type_k(), "q8_0");
  EXPECT_EQ(sent.cache_type_v(), "f16");
  EXPECT_EQ(sent.flash_attention(), proto::Load::FLASH_OFF);
  EXPECT_TRUE(sent.tune());
  EXPECT_EQ(sent.chunk_time_ms(), 250u);
  EXPECT_THAT(sent.class_lanes(), testing::ElementsAre(0, 0, 6, 2));
  EXPECT_THAT(sent.pace_ms(), testing::ElementsAre(90, 0, 0, 10));
  EXPECT_EQ(proto::from_message(sent.costs()).value(), load.costs);
}

TEST(WorkerMessages, AReadyOutOfRangeIsABreach) {
  proto::Ready ready;
  ready.set_lanes(1);
  ready.set_window(1);
  ready.set_vocabulary(1);
  ASSERT_TRUE(report_of(ready, "test 7"));
  EXPECT_EQ(report_of(ready, "test 7")->runtime_version, "test 7");
  for (const uint32_t lanes : {0u, limits::lanes_max + 1}) {
    proto::Ready broken = ready;
    broken.set_lanes(lanes);
    EXPECT_EQ(report_of(broken, "").error().code, ErrorCode::protocol);
  }
  proto::Ready broken = ready;
  broken.set_window(limits::window_tokens_max + 1);
  EXPECT_FALSE(report_of(broken, ""));
  broken = ready;
  broken.set_vocabulary(0);
  EXPECT_FALSE(report_of(broken, ""));
  broken = ready;
  broken.mutable_tuning()->mutable_choice()->set_threads(0);
  EXPECT_FALSE(report_of(broken, ""));
}

TEST(WorkerMessages, AFrameWithoutStepOrStatsLeavesTheCountersAlone) {
  WorkerReport report;
  proto::Events events;
  events.set_step(5);
  events.set_step_us(1500);
  events.mutable_stats()->set_lanes_busy(2);
  events.mutable_stats()->set_rows_prefill(7);
  count(events, report);
  count(proto::Events(), report);
  EXPECT_EQ(report.steps, 5u);
  EXPECT_EQ(report.last_step, 1500us);
  EXPECT_EQ(report.lanes_busy, 2u);
  EXPECT_EQ(report.stats.rows_prefill(), 7u);
}

}  // namespace
}  // namespace sluice::supervisor
