// One thing that is measured, in one or more variants, of any server. A cell sends requests and turns what came into
// figures; whether a sample counts is judged elsewhere. Refuses to know other servers, rounds and files.
//
// Thread: one. Lifetime: the run's.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/cells/stage.h"
#include "bench/figures/streams.h"
#include "config/bench_options.h"

namespace sluice::bench {

struct Variant {
  std::string label, series = {};  // "8 streams, greedy", "greedy"
  std::optional<double> x = {};    // its place on the cell's axis
  std::string x_name = {};
  std::string primary = {};  // the figure that is compared first
  bool best_effort = false;  // requests that fail are a part of what is measured
};

class Cell {
 public:
  virtual ~Cell() = default;
  virtual std::string name() const = 0;
  virtual std::vector<Variant> variants() const = 0;
  // Answers go to the stage; figures are only used where no request failed, or the variant is best_effort.
  virtual Figures measure(Stage& stage, size_t variant) = 0;
  virtual bool starts_servers() const { return false; }  // no server runs when measure() is called
};

std::vector<std::string> cell_names();
// Error: invalid, an unknown name with the nearest known one.
Result<std::vector<std::unique_ptr<Cell>>> make_cells(const config::BenchOptions& options);

}  // namespace sluice::bench
