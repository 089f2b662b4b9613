// `sluice bench`: measures servers side by side, and `sluice bench report`: shows what was measured. Refuses to know
// flags' spelling. Thread: main.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/bench_options.h"

namespace sluice::bench {

// The exit code: 0; 1 where a server did not serve to the end, no sample counted, or the result cannot be written; 2
// where an option is impossible. `words` are the command line, for the result.
int run_bench(const config::BenchOptions& options, const std::filesystem::path& executable_folder,
              const std::vector<std::string>& words);

int report(const config::BenchReportOptions& options);

}  // namespace sluice::bench
