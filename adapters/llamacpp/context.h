// A context of the library over a loaded model, with a pool of threads: every setting of it is chosen here. Refuses to
// know what is computed in it. Thread: step. Lifetime: within the model's.
#pragma once

#include <cstdint>

#include "adapters/llamacpp/handles.h"
#include "adapters/llamacpp/library_log.h"
#include "adapters/llamacpp/memory_kind.h"
#include "base/error.h"

namespace sluice::llamacpp {

struct ContextSettings {
  uint32_t lanes = 0;
  uint32_t window = 0;  // tokens of one sequence
  uint32_t batch = 0, ubatch = 0;
  int type_k = 0, type_v = 0;  // ggml_type
  bool flash_attention = false;
  uint32_t threads = 0;
  uint32_t outputs_max = 0;  // logits rows of one call of the library; more is an assertion
};

struct OpenContext {
  ThreadpoolPtr pool;
  ContextPtr context;
  MemoryKind memory = MemoryKind::none;
};

// Errors: fatal (memory), unsupported (the model keeps no KV).
Result<OpenContext> open_context(llama_model* model, const ContextSettings& settings, uint64_t kv_bytes_per_token,
                                 LibraryLog& log);

}  // namespace sluice::llamacpp
