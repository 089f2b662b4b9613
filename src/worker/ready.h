// What a worker says of a loaded model, and what its engine is told of it. Refuses to know how it was loaded.
// Thread: step.
#pragma once

#include "engine/engine.h"
#include "proto/sluice.pb.h"
#include "runtime/load.h"
#include "runtime/runtime.h"
#include "worker/adapter.h"

namespace sluice::worker {

// Error: unsupported, where the runtime cannot hold the lanes or the window that were asked for.
Result<engine::EngineConfig> engine_config(const LoadOptions& asked, const Capabilities& capabilities);

proto::Ready ready_message(const engine::EngineConfig& config, const LoadedModel& model, Duration load_time);

}  // namespace sluice::worker
