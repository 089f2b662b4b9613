#include "daemon/window_plan.h"

#include <gtest/gtest.h>

namespace sluice::daemon {
namespace {

constexpr uint64_t kGiB = 1ull << 30;

// 1 KiB of KV a token in f16; 8 lanes of the trained window take 64 MiB.
VocabularyFacts model() {
  VocabularyFacts facts;
  facts.trained_window = 8192;
  facts.file_bytes = kGiB / 2;
  facts.kv_k_elements = 256;
  facts.kv_v_elements = 256;
  return facts;
}

TEST(PlanWindow, GivesTheTrainedWindowWhereItFitsAQuarterOfMemory) {
  const auto choice = plan_window(model(), {}, kGiB);
  ASSERT_TRUE(choice) << choice.error().message;
  EXPECT_EQ(choice->window, 8192u);
  EXPECT_EQ(choice->kv_bytes, 64u << 20);
  EXPECT_EQ(window_notice(*choice, model(), {}, kGiB), "");
}

TEST(PlanWindow, CutsTheTrainedWindowToAQuarterOfMemoryAndSaysSo) {
  VocabularyFacts facts = model();
  facts.trained_window = 131072;
  const auto choice = plan_window(facts, {}, kGiB);
  ASSERT_TRUE(choice) << choice.error().message;
  EXPECT_EQ(choice->window, 32768u) << "256 MiB for 8 lanes of 1 KiB a token";
  EXPECT_EQ(window_notice(*choice, facts, {}, kGiB),
            "context is 32768 tokens instead of the trained 131072: a quarter of the 1.0 GiB of memory available holds "
            "no more for 8 lanes; --context N takes more, fewer --lanes or a smaller --cache-type-k/-v make room");
}

TEST(PlanWindow, CountsTheCacheTypes) {
  config::ServeOptions options;
  options.load.cache_type_k = "q8_0";
  options.load.cache_type_v = "q4_0";
  VocabularyFacts facts = model();
  facts.trained_window = 131072;
  EXPECT_GT(plan_window(facts, options, kGiB)->window, 2 * plan_window(facts, {}, kGiB)->window - 1);
}

TEST(PlanWindow, ObeysAnAskedWindowUpToWhatTheWeightsLeave) {
  config::ServeOptions options;
  options.context = 65536;  // 512 MiB: twice the quarter, and all that the weights leave
  EXPECT_EQ(plan_window(model(), options, kGiB)->window, 65536u);
  options.context = 65536 + 256;
  const auto refused = plan_window(model(), options, kGiB);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid);
  EXPECT_EQ(refused.error().field, "context");
}

TEST(PlanWindow, WarnsBeyondTheTraining) {
  config::ServeOptions options;
  options.context = 16384;
  const auto choice = plan_window(model(), options, kGiB);
  ASSERT_TRUE(choice);
  EXPECT_EQ(window_notice(*choice, model(), options, kGiB),
            "--context 16384 is more than the 8192 tokens the model was trained with: answers may get worse");
}

TEST(PlanWindow, RefusesWhereTheWeightsLeaveNothing) {
  const auto refused = plan_window(model(), {}, kGiB / 4);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().field, "lanes");
}

}  // namespace
}  // namespace sluice::daemon
