#include "gguf/memory_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.h"

namespace sluice::gguf {
namespace {

using testing::HasSubstr;

constexpr uint64_t kGiB = 1ull << 30;

WindowRequest request(uint64_t budget) {
  return {.trained = 8192,
          .lanes = 8,
          .kv_bytes_per_token = 23040,
          .budget_bytes = budget,
          .available_bytes = 4 * kGiB,
          .asked = {}};
}

TEST(MemoryPlan, KvBytesFollowTheCacheTypes) {
  EXPECT_EQ(kv_bytes_per_token(5760, 5760, "f16", "f16"), 23040u);
  EXPECT_EQ(kv_bytes_per_token(5760, 5760, "f32", "bf16"), 5760u * 6);
  EXPECT_EQ(kv_bytes_per_token(5760, 5760, "q8_0", "q4_0"), 180u * (34 + 18));
  EXPECT_EQ(kv_bytes_per_token(0, 0, "f16", "f16"), 0u);
}

TEST(MemoryPlan, AnUnknownCacheTypeIsNamedWithWhatExists) {
  const auto bytes = kv_bytes_per_token(1, 1, "f16", "q7");
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().field, "cache-type-v");
  EXPECT_THAT(bytes.error().message, HasSubstr("\"q7\""));
  EXPECT_THAT(bytes.error().message, HasSubstr("q8_0"));
}

TEST(MemoryPlan, TheTrainedWindowIsGivenWhereItFits) {
  const auto choice = choose_window(request(2 * kGiB));
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->window, 8192u);
  EXPECT_EQ(choice->kv_bytes, 8192ull * 8 * 23040);
  EXPECT_FALSE(choice->reduced_by_memory);
}

TEST(MemoryPlan, MemoryReducesTheWindowInWholeSteps) {
  const auto choice = choose_window(request(kGiB));
  ASSERT_TRUE(choice);
  EXPECT_TRUE(choice->reduced_by_memory);
  EXPECT_EQ(choice->window % kWindowStep, 0u);
  EXPECT_LE(choice->kv_bytes, kGiB);
  EXPECT_GT(choice->kv_bytes + kWindowStep * 8ull * 23040, kGiB) << "the next step would not fit";
}

TEST(MemoryPlan, TheSmallestWindowIsKeptWhileItIsAvailable) {
  const auto tiny_budget = choose_window(request(1));
  ASSERT_TRUE(tiny_budget);
  EXPECT_EQ(tiny_budget->window, limits::window_tokens_min);
  auto nothing = request(1);
  nothing.available_bytes = 1;
  const auto refused = choose_window(nothing);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().field, "lanes");
}

TEST(MemoryPlan, WhatWasAskedIsGivenOrRefusedNeverCut) {
  auto ask = request(kGiB);
  ask.asked = 8100;
  const auto given = choose_window(ask);
  ASSERT_TRUE(given) << given.error().message;
  EXPECT_EQ(given->window, 8100u) << "over the default budget, but available";
  EXPECT_EQ(given->kv_bytes, 8192ull * 8 * 23040);
  ask.asked = 65536;
  const auto refused = choose_window(ask);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().field, "context");
  EXPECT_THAT(refused.error().message, HasSubstr("--context 23296 would fit"));
  ask.asked = 10;
  EXPECT_FALSE(choose_window(ask));
}

TEST(MemoryPlan, AWindowBeyondTrainingIsSaid) {
  auto ask = request(kGiB);
  ask.asked = 16384;
  const auto choice = choose_window(ask);
  ASSERT_TRUE(choice);
  EXPECT_TRUE(choice->beyond_training);
}

TEST(MemoryPlan, AModelWithoutKvTakesItsTrainedWindow) {
  auto recurrent = request(0);
  recurrent.kv_bytes_per_token = 0;
  const auto choice = choose_window(recurrent);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->window, 8192u);
  EXPECT_FALSE(choice->reduced_by_memory);
}

TEST(MemoryPlan, ASmallTrainedWindowIsNotRaised) {
  auto small = request(0);
  small.trained = 128;
  const auto choice = choose_window(small);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->window, 128u);
  EXPECT_FALSE(choice->reduced_by_memory);
}

}  // namespace
}  // namespace sluice::gguf
