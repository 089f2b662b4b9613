// From options to a loaded model with an empty context: every setting of the library is chosen here, in words where one
// is impossible. Refuses to know sequences and steps. Thread: step.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "adapters/llamacpp/handles.h"
#include "adapters/llamacpp/library_log.h"
#include "adapters/llamacpp/memory_kind.h"
#include "base/error.h"
#include "gguf/model_facts.h"
#include "runtime/load.h"
#include "runtime/tuning.h"

namespace sluice::llamacpp {

struct Loaded {
  ModelPtr model;
  ThreadpoolPtr pool;
  ContextPtr context;
  gguf::ModelFacts facts;
  MemoryKind memory = MemoryKind::none;
  uint32_t window = 0;       // tokens of one sequence
  uint32_t outputs_max = 0;  // logits rows of one call of the library; more is an assertion
  uint64_t kv_bytes_per_token = 0;
  uint32_t threads = 0;
  bool flash_attention = false;
  bool choose_on_backend = false;  // likeliest tokens, where the logits are
  std::optional<Tuning> tuning;    // made now, as the options asked for it
};

// Errors: not_found, invalid (an option or the file; `field` names the option), unsupported (not a model that
// generates), fatal (memory).
Result<Loaded> load(const LoadOptions& options, LibraryLog& log, const std::function<void(float)>& progress);

// The vocabulary alone: no weights, no context.
Result<ModelPtr> load_vocabulary(const std::string& path, LibraryLog& log);

}  // namespace sluice::llamacpp
