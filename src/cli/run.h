// `sluice run`: a chat in the terminal, or with a pipe: each line of stdin is a turn, its answer streams to stdout.
// Refuses to know the server beyond its HTTP interface. Thread: main.
#pragma once

#include <string>

#include "config/run_options.h"

namespace sluice::cli {

// The exit code: 0 at the end of input; 1 where a turn failed (with a pipe) or the server is gone; 130 after Ctrl-C;
// that of a server of its own which did not start. `executable` is this program's path.
int run(const config::RunOptions& options, const std::string& executable);

}  // namespace sluice::cli
