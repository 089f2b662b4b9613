// A whole run: starts the servers, measures every cell in rounds (A B A B …, one server busy at a time), and writes the
// result as it grows. Refuses to know how a cell measures.
//
// Thread: one. Lifetime: the run's.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "bench/cells/cell.h"
#include "bench/result/result.h"
#include "bench/run/progress.h"
#include "bench/run/sampler.h"
#include "bench/server/server.h"

namespace sluice::bench {

class Run final {
 public:
  Run(const config::BenchOptions& options, std::vector<Server> servers, std::vector<std::unique_ptr<Cell>> cells,
      std::vector<std::string> command);

  // Error: io, the result cannot be written.
  Result<void> measure();
  const RunResult& result() const { return result_; }

 private:
  void start_servers();
  void measure_variant(Cell& cell, size_t variant);
  bool measure_round(Cell& cell, size_t variant, CellResult& into, uint32_t round);
  void measure_agreement();
  Manner decide_manner() const;
  void warm(Server& server, Round round);
  void take_row_facts();
  Result<void> save() const;

  const config::BenchOptions& options_;
  std::vector<Server> servers_;
  std::vector<std::unique_ptr<Cell>> cells_;
  Loop loop_;
  Progress progress_;
  Manner manner_;
  std::vector<IdleRow> idle_;  // beside the one that is measured
  uint64_t rounds_ = 0;        // of the whole run, so that no prompt is asked twice
  RunResult result_;
};

}  // namespace sluice::bench
