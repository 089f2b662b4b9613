// Loads a model file as a fake runtime. Thread: step.
#pragma once

#include "adapters/fake/model_file.h"
#include "worker/adapter.h"

namespace sluice::fake {

// `wait` spends the time that loading, calls and rows take.
using Wait = std::function<void(Duration)>;

Result<worker::LoadedModel> load_model(const LoadOptions& options, const std::function<void(float)>& progress,
                                       const Wait& wait);

// As main() runs it.
worker::Adapter fake_adapter(const Wait& wait);

}  // namespace sluice::fake
