// argv to checked options, or the one line that says what is wrong with it. Refuses to know what commands do.
// Thread: any.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <vector>

#include "config/bench_options.h"
#include "config/flags.h"
#include "config/options.h"
#include "config/run_options.h"
#include "config/tune_options.h"

namespace sluice::config {

template <class Options>
using Parsed = std::expected<Options, Stop>;

// `arguments` are those after the command's name. `executable_folder` is where the default model is looked for from.
Parsed<ServeOptions> parse_serve(std::vector<std::string> arguments, const std::filesystem::path& executable_folder);
Parsed<RunOptions> parse_run(std::vector<std::string> arguments);
Parsed<TuneOptions> parse_tune(std::vector<std::string> arguments, const std::filesystem::path& executable_folder);
Parsed<BenchOptions> parse_bench(std::vector<std::string> arguments, const std::filesystem::path& executable_folder);
Parsed<BenchReportOptions> parse_bench_report(std::vector<std::string> arguments);

}  // namespace sluice::config
