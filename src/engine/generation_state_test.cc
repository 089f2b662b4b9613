#include "engine/generation_state.h"

#include <gtest/gtest.h>

namespace sluice::engine {
namespace {

using enum GenerationState;

TEST(GenerationState, OnlyTheseChangesAreLegal) {
  for (const auto from : {waiting, running, preempted, ended}) {
    for (const auto to : {waiting, running, preempted, ended}) {
      const bool lane_changes = to == (from == running ? preempted : running);
      const bool legal = from != ended && (lane_changes || to == ended);
      EXPECT_EQ(may_follow(from, to), legal) << name_of(from) << " to " << name_of(to);
    }
  }
}

}  // namespace
}  // namespace sluice::engine
