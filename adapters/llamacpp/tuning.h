// Measures which settings are fast for a model on this machine, and chooses: flash attention on or off where the type
// of the V cache leaves a choice, then the number of threads. Refuses to know where the choice is kept. Thread: step,
// before the context that serves is opened.
#pragma once

#include <vector>

#include "adapters/llamacpp/context.h"
#include "base/limits.h"
#include "base/time.h"
#include "runtime/tuning.h"

namespace sluice::llamacpp {

// `settings` are the defaults, and what is served with: their lanes and window bound the memory that measuring takes to
// about that of serving. Never fails: where not everything could be measured the choice is the default, with a remark.
Tuning tune(llama_model* model, const ContextSettings& settings, uint64_t kv_bytes_per_token, LibraryLog& log,
            Duration time_max = limits::tuning_time_max);

// Counts worth a comparison, where `threads` is the default: some cores do better left to others.
std::vector<uint32_t> other_thread_counts(uint32_t threads);

}  // namespace sluice::llamacpp
