#include "supervisor/process_state.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace sluice::supervisor {
namespace {

using enum ProcessState;
constexpr ProcessState kAll[] = {stopped, starting, loading, ready, draining, backing_off, failed};

TEST(ProcessState, OnlyTheseMayFollow) {
  const std::set<std::pair<ProcessState, ProcessState>> legal = {
      {stopped, starting}, {starting, loading}, {starting, backing_off}, {starting, failed},
      {starting, stopped}, {loading, ready},    {loading, failed},       {loading, backing_off},
      {loading, stopped},  {ready, draining},   {ready, backing_off},    {ready, stopped},
      {draining, stopped}, {failed, stopped},   {backing_off, starting}, {backing_off, stopped},
  };
  for (const auto from : kAll) {
    for (const auto to : kAll) {
      EXPECT_EQ(may_follow(from, to), legal.contains({from, to})) << name_of(from) << " -> " << name_of(to);
    }
  }
}

TEST(ProcessState, EveryOneHasItsOwnName) {
  std::set<std::string_view> names;
  for (const auto state : kAll) names.insert(name_of(state));
  EXPECT_EQ(names.size(), std::size(kAll));
}

}  // namespace
}  // namespace sluice::supervisor
