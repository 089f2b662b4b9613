// This library as a worker's adapter. Refuses to know processes. Thread: main.
#pragma once

#include "adapters/llamacpp/library_log.h"
#include "worker/adapter.h"

namespace sluice::llamacpp {

// The log must outlive the adapter and whatever it opens.
worker::Adapter make_adapter(LibraryLog& log);

}  // namespace sluice::llamacpp
