// The codec role: a blocking loop that opens one vocabulary and answers one call after another. It may hang in a
// template; then the daemon kills it. Refuses to know processes: it runs on any connected stream socket. Thread: its
// caller's, the only one.
#pragma once

#include "worker/adapter.h"

namespace sluice::worker {

// Takes over `socket`; returns the exit code.
int run_codec(int socket, const Adapter& adapter);

}  // namespace sluice::worker
