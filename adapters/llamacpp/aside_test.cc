// Where a thread of a pass goes that is on the core of another one (third_party/llama.cpp/aside.h).
#include "aside.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace sluice::llamacpp {
namespace {

constexpr int kUnknown = -1;

cpu_set_t set_of(const std::vector<int>& cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : cores) CPU_SET(core, &set);
  return set;
}

std::vector<int> cores_in(const cpu_set_t& set) {
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  }
  return cores;
}

// Of the first thread; `cores`: where each was last. None: it stays.
std::vector<int> aside(const std::vector<int>& cores, int here, const std::vector<int>& allowed) {
  const cpu_set_t may = set_of(allowed);
  cpu_set_t out;
  const auto threads = static_cast<int>(cores.size());
  const bool moves =
      sluice_shares_core(cores.data(), threads, 0, here) && sluice_cores_aside(cores.data(), threads, &may, &out);
  return moves ? cores_in(out) : std::vector<int>{};
}

using Cores = std::vector<int>;

TEST(Aside, WhoSharesItsCoreGoesWhereNoneOfThemIs) {
  EXPECT_EQ(aside({0, 0}, 0, {0, 1}), Cores({1}));
  EXPECT_EQ(aside({2, 1, 2}, 2, {0, 1, 2, 3}), Cores({0, 3}));
}

TEST(Aside, WhoHasACoreOfItsOwnStays) {
  EXPECT_EQ(aside({0, 1}, 0, {0, 1}), Cores());
  EXPECT_EQ(aside({0, 1, 1}, 0, {0, 1, 2}), Cores());
}

TEST(Aside, WhereItIsNowCounts) { EXPECT_EQ(aside({0, 1}, 1, {0, 1, 2}), Cores({2})); }

TEST(Aside, NobodyGoesToACoreThatItMayNotRunOn) { EXPECT_EQ(aside({0, 0}, 0, {0, 5}), Cores({5})); }

TEST(Aside, WhereThereIsNoOtherCoreItStays) { EXPECT_EQ(aside({0, 0, 1}, 0, {0, 1}), Cores()); }

TEST(Aside, WhoIsOnItsWayIsNowhere) {
  EXPECT_EQ(aside({0, kUnknown}, 0, {0, 1}), Cores());
  EXPECT_EQ(aside({kUnknown, kUnknown}, kUnknown, {0, 1}), Cores());
}

TEST(Aside, WhoMovedIsThereAtOnceAndMayRunWhereItMightBefore) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  if (CPU_COUNT(&allowed) < 2) GTEST_SKIP() << "this machine gives us one core";
  int moved = 0;
  for (int i = 0; i < 100; ++i) {
    const int here = sched_getcpu();
    cpu_set_t others = allowed;
    CPU_CLR(here, &others);
    sluice_move_aside(&others, &allowed);
    moved += sched_getcpu() != here;  // unless the kernel moves it again in the meantime
  }
  EXPECT_GT(moved, 50);
  cpu_set_t after;
  ASSERT_EQ(sched_getaffinity(0, sizeof after, &after), 0);
  EXPECT_TRUE(CPU_EQUAL(&after, &allowed));
}

TEST(Aside, WhoMayRunOnOneCoreOnlyStaysThere) {
  cpu_set_t after;
  std::thread([&] {
    const cpu_set_t one = set_of({sched_getcpu()});
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    sluice_may_run_on(&one);
    EXPECT_TRUE(sched_getaffinity(0, sizeof after, &after) == 0 && CPU_EQUAL(&after, &one));
  }).join();
}

}  // namespace
}  // namespace sluice::llamacpp
