// `sluice tune --redo`: starts a model as `sluice serve` does, has it measure, keeps what came of it and ends it.
// Refuses to know how. Thread: the caller's, which becomes `core`.
#pragma once

#include <filesystem>

#include "config/options.h"

namespace sluice::daemon {

// The exit code, as serve()'s; 1 where the state folder cannot be written.
int measure(const config::ServeOptions& options, const std::filesystem::path& executable_folder);

}  // namespace sluice::daemon
