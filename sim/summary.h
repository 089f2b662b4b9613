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
};

}  // namespace sluice::sim
