// `sluice tune`: what was measured of a model on this machine, and what is pinned. Refuses to know how it is measured.
// Thread: main.
#pragma once

#include "config/tune_options.h"

namespace sluice::cli {

// Pins or unpins where that is asked, then shows. The exit code: 0; 1 where the state folder or the model cannot be
// read.
int tune(const config::TuneOptions& options);

}  // namespace sluice::cli
