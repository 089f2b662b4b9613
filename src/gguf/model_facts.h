// What a model's header says about what it will need: window, vocabulary, and how much one token's KV is. Refuses to
// know cache types and budgets (memory_plan.h). Thread: any (a value).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gguf/header.h"

namespace sluice::gguf {

struct ModelFacts {
  std::string architecture;
  std::string name;  // general.name; the file's stem where it has none
  uint64_t file_bytes = 0;
  uint32_t trained_window = 0;
  uint32_t layers = 0;
  uint32_t vocabulary = 0;
  bool has_chat_template = false;
  // One layer's head sizes; a cache type's block must divide them.
  uint64_t key_length = 0;
  uint64_t value_length = 0;
  // Elements of one token's KV over all layers. Layers that share another's KV, or keep only a window of it, count in
  // full: the plan may be too careful, never too small.
  uint64_t kv_k_elements = 0;
  uint64_t kv_v_elements = 0;
};

// `path` is for the name. Errors: invalid (a key that is missing or makes no sense).
Result<ModelFacts> facts_of(const Header& header, const std::string& path);
Result<ModelFacts> read_facts(const std::string& path);

}  // namespace sluice::gguf
