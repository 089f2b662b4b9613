// The composition root: builds everything that `sluice serve` is made of, runs it on one thread, and takes it down in
// order. Refuses to know how any part works. Thread: the caller's, which becomes `core`.
#pragma once

#include <filesystem>

#include "config/options.h"

namespace sluice::daemon {

// Serves until it is told to end. The exit code: 0 after SIGTERM or SIGINT, 128 + the signal after a second one, 1
// where the address cannot be had, 2 where an option is at fault, 3 where the model cannot be loaded.
int serve(const config::ServeOptions& options, const std::filesystem::path& executable_folder);

}  // namespace sluice::daemon
