// How long things take on a machine that a seed made up: what the engine predicts, and is wrong about. Refuses to know
// why something is computed. Thread: one at a time per object.
#pragma once

#include "engine/plan.h"
#include "sim/random.h"

namespace sluice::sim {

struct MachineSpec {
  double row_us = 500;    // a row, not deep
  double pass_us = 5000;  // before the first row
  double depth_us = 50;   // a row, for every 1024 tokens before it
  double move_us = 5;     // a token, to host memory or back
  double copy_us = 2000;  // one sequence to another
  double noise = 0.1;     // every time is up to this part longer or shorter
  double hiccups = 0;     // percent of the calls
  double hiccup = 10;     // takes so many times as long
};

class Machine final {
 public:
  Machine(MachineSpec spec, Random random) : spec_(spec), random_(random) {}

  Duration call(const engine::PlannedCall& call, uint32_t passes);
  Duration move(const engine::KvMove& move);

 private:
  Duration about(double us);
  MachineSpec spec_;
  Random random_;
};

}  // namespace sluice::sim
