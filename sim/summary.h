// What many runs came to, in a few lines. Refuses to know single runs. Thread: one at a time per object.
#pragma once

#include <map>
#include <string>

#include "sim/simulation.h"

namespace sluice::sim {

class Summary final {
 public:
  void add(const Scenario& scenario, const Figures& figures);
  std::string text() const;

 private:
  std::map<Shape, uint64_t> seeds_;
  Figures total_;
  double most_moving_ = 0;  // part of a run's time
  uint64_t most_moving_seed_ = 0;
  uint64_t newcomers_seed_ = 0;  // the first in which one waited for longer than two chunks
};

}  // namespace sluice::sim
