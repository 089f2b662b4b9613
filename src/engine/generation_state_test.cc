#include "engine/generation_state.h"

#include <gtest/gtest.h>

namespace sluice::engine {
namespace {

using enum GenerationState;

TEST(GenerationState, OnlyTheseChangesAreLegal) {
  for (const auto from : {waiting, running, ended}) {
    for (const auto to : {waiting, running, ended}) {
      const bool legal = (from == waiting && to == running) || (from != ended && to == ended);
      EXPECT_EQ(may_follow(from, to), legal) << name_of(from) << " to " << name_of(to);
    }
  }
}

}  // namespace
}  // namespace sluice::engine
