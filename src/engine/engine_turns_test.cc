// Who takes a lane back from whom, where their KV has to be moved.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/engine_rig.h"

namespace sluice::engine {
namespace {

using namespace std::chrono_literals;

constexpr uint64_t kLong = 1, kShort = 2;

EngineConfig one_lane() {
  EngineConfig c = small_config();
  c.lanes = 1;
  c.window = 4096;
  return c;
}

bool imports(const StepSeen& step, uint64_t id) {
  return std::ranges::any_of(step.moves, [id](const KvMove& move) {
    const auto* import = std::get_if<ImportKv>(&move);
    return import != nullptr && import->generation.raw == id;
  });
}

// Time until the generation is brought back from host memory; the clock goes on by 20 ms a step.
Duration until_back(Rig& rig, uint64_t id) {
  const TimePoint begun = rig.now;
  for (int i = 0; i < 1000; ++i) {
    const TimePoint now = rig.now;
    if (imports(rig.step(), id)) return now - begun;
    rig.now += 19ms;
  }
  ADD_FAILURE() << "generation " << id << " never came back";
  return {};
}

// The long one gave its lane to the short one, and has it again.
void let_long_come_back(Rig& rig) {
  rig.must_submit(kLong, asking(tokens(1, 900), 2000));
  for (int i = 0; i < 100 && rig.told(kLong).answer.empty(); ++i) rig.step();
  rig.must_submit(kShort, asking(tokens(500, 10), 2000));
  until_back(rig, kLong);
}

// One that got much and waited for long comes back for a row, and has waited no longer: the other would be worth a move
// in every step.
TEST(EngineTurns, WhoCameBackKeepsItsLaneForTenTimesTheMove) {
  Rig rig(one_lane());
  rig.runtime.copy_time = 50ms;
  let_long_come_back(rig);
  EXPECT_GE(until_back(rig, kShort), 1s);
}

// Its first token is what it waits for.
TEST(EngineTurns, ANewcomerWaitsForNobodysTurn) {
  Rig rig(one_lane());
  rig.runtime.copy_time = 10ms;
  let_long_come_back(rig);
  rig.must_submit(3, asking(tokens(700, 10), 1));
  rig.step();
  EXPECT_TRUE(rig.told(3).finished);
}

}  // namespace
}  // namespace sluice::engine
