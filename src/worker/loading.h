// Loads the model that the daemon names, and tells it how far that is. Refuses to know what is served with it.
// Thread: step.
#pragma once

#include "worker/adapter.h"
#include "worker/link.h"

namespace sluice::worker {

Result<LoadedModel> load_model(const Adapter& adapter, const LoadOptions& options, Link& link);

}  // namespace sluice::worker
