#include "generation/generation_state.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace sluice::generation {
namespace {

using enum GenerationState;
constexpr GenerationState kAll[] = {waiting_for_worker, submitted, accepted, running, ended};

TEST(GenerationState, OnlyTheseMayFollow) {
  const std::set<std::pair<GenerationState, GenerationState>> legal = {
      {waiting_for_worker, submitted},
      {waiting_for_worker, ended},
      {submitted, accepted},
      {submitted, waiting_for_worker},
      {submitted, ended},
      {accepted, running},
      {accepted, ended},
      {running, ended},
  };
  for (const auto from : kAll) {
    for (const auto to : kAll) {
      EXPECT_EQ(may_follow(from, to), legal.contains({from, to})) << name_of(from) << " -> " << name_of(to);
    }
  }
}

TEST(GenerationState, EveryOneHasItsOwnName) {
  std::set<std::string_view> names;
  for (const auto state : kAll) names.insert(name_of(state));
  EXPECT_EQ(names.size(), std::size(kAll));
}

}  // namespace
}  // namespace sluice::generation
