// Measuring before serving: what is compared, that the choice is what is served with, and that a sequence may be made
// deep without computing it. Which candidate wins is the machine's, and no test's.
#include "adapters/llamacpp/tuning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/llamacpp/adapter.h"
#include "adapters/llamacpp/cells.h"
#include "adapters/llamacpp/test_model.h"
#include "adapters/llamacpp/test_tiny_model.h"
#include "adapters/llamacpp/tuning_trial.h"
#include "base/limits.h"
#include "base/usable_cores.h"
#include "ggml.h"
#include "llama.h"

namespace sluice::llamacpp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

LoadOptions tiny_options(TinyKind kind) {
  LoadOptions options;
  options.model_path = tiny_model(kind);
  options.lanes = 2;
  options.window = 512;
  options.batch = options.ubatch = 64;
  options.tune = true;
  return options;
}

Loaded loaded(const LoadOptions& options) {
  auto model = load(options, test_log(), [](float) {});
  EXPECT_TRUE(model) << model.error().message;
  return model ? std::move(*model) : Loaded{};
}

std::vector<bool> flash_attentions(const Tuning& tuning) {
  std::vector<bool> kinds;
  for (const auto& candidate : tuning.candidates)
    if (candidate.choice.threads == usable_cores()) kinds.push_back(candidate.choice.flash_attention);
  return kinds;
}

TEST(LlamaTuning, FlashAttentionIsComparedFromTheDefaultOn) {
  const Loaded model = loaded(tiny_options(TinyKind::llama));
  ASSERT_TRUE(model.tuning);
  EXPECT_THAT(flash_attentions(*model.tuning), ElementsAre(false, true));
  EXPECT_EQ(model.tuning->remark, "");
}

TEST(LlamaTuning, AQuantizedVCacheLeavesOnlyFlashAttention) {
  auto options = tiny_options(TinyKind::llama);
  options.model_path = test_model_path();  // the tiny model's heads are smaller than a block
  options.cache_type_v = "q8_0";
  const Loaded model = loaded(options);
  EXPECT_THAT(flash_attentions(*model.tuning), ElementsAre(true));
  EXPECT_TRUE(model.flash_attention);
}

TEST(LlamaTuning, EveryFigureOfEveryCandidateIsMeasured) {
  const Loaded model = loaded(tiny_options(TinyKind::llama));
  for (const auto& [choice, figures] : model.tuning->candidates) {
    for (const Duration time :
         {figures.prompt, figures.alone_shallow, figures.full_shallow, figures.alone_deep, figures.full_deep})
      EXPECT_GT(time, Duration{}) << choice.threads;
  }
  EXPECT_EQ(model.tuning->lanes, 2u);
  EXPECT_GT(model.tuning->prompt_rows, 0u);
  EXPECT_LE(model.tuning->prompt_rows, 64u);
  EXPECT_GT(model.tuning->deep_tokens, model.tuning->shallow_tokens);
  EXPECT_LT(model.tuning->took, limits::tuning_time_max + std::chrono::seconds(20));
}

TEST(LlamaTuning, WhatWasChosenIsServedWith) {
  const Loaded model = loaded(tiny_options(TinyKind::llama));
  EXPECT_EQ(model.flash_attention, model.tuning->choice.flash_attention);
  EXPECT_EQ(model.threads, model.tuning->choice.threads);
}

TEST(LlamaTuning, WhatWasAskedForIsServedWithAndDoesNotChangeWhatIsMeasured) {
  auto options = tiny_options(TinyKind::llama);
  options.threads = 1;
  for (const auto asked : {FlashAttention::on, FlashAttention::off}) {
    options.flash_attention = asked;
    const Loaded model = loaded(options);
    EXPECT_EQ(model.flash_attention, asked == FlashAttention::on);
    EXPECT_EQ(model.threads, 1u);
    EXPECT_THAT(flash_attentions(*model.tuning), ElementsAre(false, true));
  }
}

TEST(LlamaTuning, EveryKindOfMemoryIsMeasured) {
  for (const auto kind : {TinyKind::gemma3, TinyKind::mamba, TinyKind::lfm2}) {
    SCOPED_TRACE(static_cast<int>(kind));
    const Loaded model = loaded(tiny_options(kind));
    ASSERT_TRUE(model.tuning);
    EXPECT_THAT(model.tuning->remark, IsEmpty());
    EXPECT_THAT(flash_attentions(*model.tuning), testing::SizeIs(2));
  }
}

TEST(LlamaTuning, NothingIsMeasuredUnlessAsked) {
  auto options = tiny_options(TinyKind::llama);
  options.tune = false;
  EXPECT_FALSE(loaded(options).tuning);
}

TEST(LlamaTuning, TheAdapterHandsTheTuningOn) {
  const auto model = make_adapter(test_log()).load(tiny_options(TinyKind::llama), [](float) {});
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_TRUE(model->tuning);
}

TEST(LlamaTuning, FewerThreadsAreComparedWhereThereAreCoresToLeave) {
  EXPECT_THAT(other_thread_counts(1), IsEmpty());
  EXPECT_THAT(other_thread_counts(2), IsEmpty());
  EXPECT_THAT(other_thread_counts(3), ElementsAre(2));
  EXPECT_THAT(other_thread_counts(4), ElementsAre(3, 2));
  EXPECT_THAT(other_thread_counts(16), ElementsAre(15, 8));
}

TEST(LlamaTuning, ASequenceGetsDeepWithoutComputing) {
  auto options = tiny_options(TinyKind::llama);
  options.tune = false;
  const Loaded model = loaded(options);
  ASSERT_TRUE(take_cells(model.context.get(), SequenceId{1}, 300));
  EXPECT_EQ(llama_memory_seq_pos_max(llama_get_memory(model.context.get()), 1), 299);
  EXPECT_EQ(llama_memory_seq_pos_max(llama_get_memory(model.context.get()), 0), -1);
}

TEST(LlamaTuning, MoreCellsThanThereAreIsAnError) {
  auto options = tiny_options(TinyKind::llama);
  options.tune = false;
  const Loaded model = loaded(options);
  const auto taken = take_cells(model.context.get(), SequenceId{0}, 600);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, ErrorCode::capacity);
}

ContextSettings tiny_settings() {
  ContextSettings settings;
  settings.lanes = 2;
  settings.window = 512;
  settings.batch = settings.ubatch = 64;
  settings.type_k = settings.type_v = GGML_TYPE_F16;
  settings.threads = 1;
  settings.outputs_max = limits::logits_rows_min;
  return settings;
}

TEST(LlamaTuning, WhereTheTimeIsOverTheDefaultIsKeptWithARemark) {
  auto options = tiny_options(TinyKind::llama);
  options.tune = false;
  const Loaded model = loaded(options);
  const Tuning tuning = tune(model.model.get(), tiny_settings(), 1, test_log(), Duration{});
  EXPECT_EQ(tuning.choice, (TuningChoice{false, 1}));
  EXPECT_THAT(tuning.candidates, IsEmpty());
  EXPECT_EQ(tuning.remark, "the time for measuring is over");
}

TEST(LlamaTuning, ATrialEndsAtItsDeadlineAndGoesOnAfterIt) {
  auto options = tiny_options(TinyKind::llama);
  options.tune = false;
  const Loaded model = loaded(options);
  auto trial = Trial::open(model.model.get(), tiny_settings(), 1, test_log());
  ASSERT_TRUE(trial) << trial.error().message;
  const Work work{.lanes = 2, .depth = 100, .rows = 1, .calls = 2};
  const auto late = (*trial)->time_of(work, 1, Clock::now() - std::chrono::seconds(1));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::timed_out);
  EXPECT_TRUE((*trial)->time_of(work, 1, Clock::now() + std::chrono::hours(1)));
}

}  // namespace
}  // namespace sluice::llamacpp
