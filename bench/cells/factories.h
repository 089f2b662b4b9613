// One function for each cell; cells.cc names them. Thread: any.
#pragma once

#include <memory>

#include "bench/cells/cell.h"

namespace sluice::bench {

std::unique_ptr<Cell> make_decode(const config::BenchOptions& options);
std::unique_ptr<Cell> make_prefill(const config::BenchOptions& options);
std::unique_ptr<Cell> make_two(const config::BenchOptions& options);
std::unique_ptr<Cell> make_depth(const config::BenchOptions& options);
std::unique_ptr<Cell> make_ttft(const config::BenchOptions& options);
std::unique_ptr<Cell> make_concurrent(const config::BenchOptions& options);
std::unique_ptr<Cell> make_behind(const config::BenchOptions& options);
std::unique_ptr<Cell> make_shared_prefix(const config::BenchOptions& options);
std::unique_ptr<Cell> make_turns(const config::BenchOptions& options);
std::unique_ptr<Cell> make_arrivals(const config::BenchOptions& options);
std::unique_ptr<Cell> make_sustained(const config::BenchOptions& options);
std::unique_ptr<Cell> make_start(const config::BenchOptions& options);
std::unique_ptr<Cell> make_switch(const config::BenchOptions& options);
std::unique_ptr<Cell> make_busy(const config::BenchOptions& options);

}  // namespace sluice::bench
