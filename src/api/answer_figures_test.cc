#include "api/answer_figures.h"

#include <gtest/gtest.h>

#include "api/fake_backend.h"

namespace sluice::api {
namespace {

PartFigures part(uint32_t prompt, uint32_t cached, uint32_t completion, FinishReason reason) {
  return {prompt, cached, completion, finished(reason, {prompt, cached, completion})};
}

TEST(AnswerFigures, APromptCountsOnceAndEveryAnswerCounts) {
  const std::vector<PartFigures> parts{part(10, 0, 3, FinishReason::stop), part(10, 9, 4, FinishReason::stop),
                                       part(20, 5, 1, FinishReason::stop), part(20, 19, 2, FinishReason::stop)};
  const Usage usage = usage_of(parts, 2);
  EXPECT_EQ(usage.prompt_tokens, 30u);
  EXPECT_EQ(usage.cached_tokens, 5u);
  EXPECT_EQ(usage.completion_tokens, 10u);
}

TEST(AnswerFigures, TheEntryHasRatesOfWhatWasComputed) {
  telemetry::AccessEntry entry;
  fill(entry, std::vector{part(10, 4, 11, FinishReason::stop), part(10, 4, 11, FinishReason::length)}, 2);
  EXPECT_EQ(entry.queued, std::chrono::milliseconds(5));
  EXPECT_DOUBLE_EQ(*entry.prefill_rate, 12 / 0.040);
  EXPECT_DOUBLE_EQ(*entry.decode_rate, 20 / 0.100);
  EXPECT_EQ(entry.finish, "stop,length");
}

TEST(AnswerFigures, OneAnswerThatWasTooLateMakesItsRequestLate) {
  telemetry::AccessEntry entry;
  fill(entry, std::vector{part(10, 4, 11, FinishReason::stop)}, 1);
  EXPECT_FALSE(entry.late);
  fill(entry, std::vector{part(10, 4, 11, FinishReason::stop), part(10, 4, 11, FinishReason::deadline)}, 2);
  EXPECT_TRUE(entry.late);
}

TEST(AnswerFigures, WhatNeverStartedHasNoFigures) {
  telemetry::AccessEntry entry;
  fill(entry, std::vector<PartFigures>(2), 2);
  EXPECT_FALSE(entry.prompt_tokens);
  EXPECT_FALSE(entry.queued);
  EXPECT_FALSE(entry.prefill_rate);
  EXPECT_EQ(entry.finish, "");
}

TEST(AnswerFigures, AnUnfinishedAnswerCountsWhatCame) {
  telemetry::AccessEntry entry;
  PartFigures unfinished;
  unfinished.prompt_tokens = 10;
  unfinished.tokens = 7;
  fill(entry, std::vector{unfinished}, 1);
  EXPECT_EQ(entry.prompt_tokens, 10u);
  EXPECT_EQ(entry.completion_tokens, 7u);
}

}  // namespace
}  // namespace sluice::api
