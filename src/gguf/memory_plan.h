// Arithmetic of KV memory: what a token takes for given cache types, and the window of one generation that memory
// allows. Pure: refuses to know files, machines and options' spelling. Thread: any.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace sluice::gguf {

// A type that KV can be kept in: `block_elements` values take `block_bytes`.
struct CacheType {
  std::string_view name;
  uint32_t block_elements;
  uint32_t block_bytes;
  bool quantized() const { return block_elements > 1; }
};

std::span<const CacheType> cache_types();
const CacheType* find_cache_type(std::string_view name);  // nullptr: no such type
std::string cache_type_names();                           // "f32, f16, ...", for messages

// Error: invalid, naming what exists.
Result<uint64_t> kv_bytes_per_token(uint64_t k_elements, uint64_t v_elements, std::string_view k_type,
                                    std::string_view v_type);

struct WindowRequest {
  uint32_t trained = 0;  // tokens
  uint32_t lanes = 1;
  uint64_t kv_bytes_per_token = 0;
  uint64_t budget_bytes = 0;     // of KV, where the user names no window
  uint64_t available_bytes = 0;  // of KV, at the very most
  std::optional<uint32_t> asked;
};

struct WindowChoice {
  uint32_t window = 0;             // tokens of one generation
  uint64_t kv_bytes = 0;           // of all lanes: resident from the start
  bool reduced_by_memory = false;  // less than the trained window, because of budget_bytes
  bool beyond_training = false;    // asked for more than the model was trained with
};

// Runtimes keep KV in steps of this many tokens.
inline constexpr uint32_t kWindowStep = 256;

// What was asked is given or refused, never cut; the trained window is cut to the budget, in whole steps.
// Error: invalid with field "context" or "lanes"; the message says what would fit.
Result<WindowChoice> choose_window(const WindowRequest& request);

}  // namespace sluice::gguf
