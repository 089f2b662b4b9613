// Measures one cell's variant on one server, once: who computed meanwhile, what came of it, and whether it counts.
// Refuses to know other samples. Thread: one.
#pragma once

#include "bench/cells/cell.h"
#include "bench/result/result.h"

namespace sluice::bench {

struct IdleRow {
  std::string name;
  pid_t pid = 0;
};

struct SampleSettings {
  Manner manner;
  double others_max = 0.15;               // of one core
  const std::vector<IdleRow>& idle_rows;  // what they use counts as others', and is named
};

Sample take_sample(Loop& loop, Server& server, Cell& cell, size_t variant, Round round, const SampleSettings& settings);

}  // namespace sluice::bench
