#include "adapters/llamacpp/thread_governor.h"

#include <gtest/gtest.h>

#include "adapters/llamacpp/core_use.h"

namespace sluice::llamacpp {
namespace {

using namespace std::chrono_literals;

// After a quarter of a second in which others used this many cores.
uint32_t threads_after(ThreadGovernor& governor, double others) {
  governor.on_window(250ms, 250ms, from_us(250e3 * others));
  return governor.threads();
}

TEST(ThreadGovernor, AQuietMachineIsComputedOnWithAllThreads) {
  ThreadGovernor governor(2, 2);
  EXPECT_EQ(governor.threads(), 2u);
  EXPECT_EQ(threads_after(governor, 0.1), 2u);
  EXPECT_EQ(threads_after(governor, 0.45), 2u);
}

TEST(ThreadGovernor, ACoreThatOthersUseIsLeftToThemAtOnce) {
  ThreadGovernor two(2, 2);
  EXPECT_EQ(threads_after(two, 0.5), 1u);
  ThreadGovernor sixteen(16, 16);
  EXPECT_EQ(threads_after(sixteen, 3.2), 13u);
  EXPECT_EQ(threads_after(sixteen, 9.6), 6u);
}

TEST(ThreadGovernor, OneThreadIsLeftOnAMachineThatIsFull) {
  ThreadGovernor governor(2, 2);
  EXPECT_EQ(threads_after(governor, 1.9), 1u);
  EXPECT_EQ(threads_after(governor, 5), 1u) << "the kernel's ticks may add up to more than there is";
}

TEST(ThreadGovernor, ItTakesSomeCalmToComputeWithMoreAgain) {
  ThreadGovernor governor(2, 2);
  threads_after(governor, 1);
  EXPECT_EQ(threads_after(governor, 0.1), 1u);
  EXPECT_EQ(threads_after(governor, 0.4), 1u) << "this was not calm";
  EXPECT_EQ(threads_after(governor, 0.1), 1u);
  EXPECT_EQ(threads_after(governor, 0.1), 2u);
}

TEST(ThreadGovernor, WhatWasWhileWeWaitedIsNoReasonToWaitNow) {
  ThreadGovernor governor(2, 2);
  threads_after(governor, 1);
  governor.on_window(10s, 1s, 9s);
  EXPECT_EQ(governor.threads(), 2u);
  EXPECT_EQ(threads_after(governor, 1), 1u) << "they are still there";
}

TEST(ThreadGovernor, ALoadAtTheEdgeDoesNotMakeItSwing) {
  ThreadGovernor governor(2, 2);
  threads_after(governor, 0.6);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(threads_after(governor, i % 2 == 0 ? 0.3 : 0.6), 1u);
}

TEST(ThreadGovernor, FewerThreadsThanCoresAreKeptWhileThereIsRoom) {
  ThreadGovernor governor(4, 8);
  EXPECT_EQ(threads_after(governor, 3), 4u);
  EXPECT_EQ(threads_after(governor, 6), 2u);
}

TEST(ThreadGovernor, MoreThreadsThanCoresAreSomebodysWish) {
  ThreadGovernor governor(4, 2);
  EXPECT_EQ(threads_after(governor, 0.1), 4u);
  EXPECT_EQ(threads_after(governor, 1), 1u);
  for (int i = 0; i < 2; ++i) threads_after(governor, 0);
  EXPECT_EQ(governor.threads(), 4u);
}

TEST(CoreUse, OnlyOurCoresAndOnlyWhatProcessesUsedCount) {
  const std::string stat =
      "cpu  1000 0 0 0 0 0 0 0 0 0\ncpu0 10 2 3 900 50 70 80 4 0 0\ncpu1 100 0 0 0 0 0 0 0\ncpu12 7 0 0 1 0 0 0 "
      "0\nintr 5\n";
  EXPECT_EQ(busy_ticks(stat, {0}), 19u);
  EXPECT_EQ(busy_ticks(stat, {0, 12}), 26u);
  EXPECT_EQ(busy_ticks(stat, {3}), 0u);
  EXPECT_EQ(busy_ticks("", {0}), 0u);
}

TEST(CoreUse, AWindowThatIsTooShortTellsNothing) {
  CoreUse use;
  const TimePoint now = Clock::now();
  EXPECT_FALSE(use.window(now));
  EXPECT_FALSE(use.window(now + 10ms));
  const auto window = use.window(now + 300ms);
  ASSERT_TRUE(window);
  EXPECT_EQ(window->wall, 300ms);
  EXPECT_GE(window->others, 0s);
}

}  // namespace
}  // namespace sluice::llamacpp
