// The worker role from Hello to exit: says hello, loads what it is told to, serves until it is drained, its daemon is
// gone or its runtime is lost. Refuses to know processes: it runs on any connected stream socket, in any thread, which
// is thread `step` from then on.
#pragma once

#include <functional>

#include "worker/adapter.h"

namespace sluice::worker {

// Takes over `socket`; returns the exit code. `on_stuck`: see Link.
int run_worker(int socket, const Adapter& adapter, std::function<void()> on_stuck);

}  // namespace sluice::worker
