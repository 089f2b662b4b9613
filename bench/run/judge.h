// Whether a sample counts, and why not. Pure. Thread: any.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/load/volley.h"
#include "bench/result/result.h"

namespace sluice::bench {

struct Verdict {
  SampleState state = SampleState::ok;
  std::vector<std::string> reasons;
};

struct Circumstances {
  std::vector<std::string> objections = {};  // of the cell
  bool best_effort = false;                  // requests that fail are a part of what is measured
  double others_cpu = 0, others_max = 0;
};

// The gravest counts: failed, void, disturbed, ok.
Verdict judge(std::span<const Asked> asked, const Circumstances& circumstances);

}  // namespace sluice::bench
