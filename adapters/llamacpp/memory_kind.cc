#include "adapters/llamacpp/memory_kind.h"

// The library's own headers: the public ones do not tell a cache's kind.
#include "llama-kv-cache-iswa.h"
#include "llama-kv-cache.h"
#include "llama-memory-hybrid-idx.h"
#include "llama-memory-hybrid-iswa.h"
#include "llama-memory-hybrid.h"
#include "llama-memory-recurrent.h"
#include "llama.h"

namespace sluice::llamacpp {

MemoryKind memory_kind_of(llama_context* context) {
  const auto* memory = llama_get_memory(context);
  if (memory == nullptr) return MemoryKind::none;
  if (dynamic_cast<const llama_kv_cache*>(memory) != nullptr) return MemoryKind::plain;
  if (dynamic_cast<const llama_kv_cache_iswa*>(memory) != nullptr) return MemoryKind::sliding_full;
  if (dynamic_cast<const llama_memory_recurrent*>(memory) != nullptr) return MemoryKind::recurrent;
  if (dynamic_cast<const llama_memory_hybrid*>(memory) != nullptr ||
      dynamic_cast<const llama_memory_hybrid_iswa*>(memory) != nullptr ||
      dynamic_cast<const llama_memory_hybrid_idx*>(memory) != nullptr)
    return MemoryKind::hybrid;
  return MemoryKind::other;
}

bool keeps_every_position(MemoryKind kind) { return kind == MemoryKind::plain || kind == MemoryKind::sliding_full; }

std::string_view name_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::none: return "no memory";
    case MemoryKind::plain: return "plain KV";
    case MemoryKind::sliding_full: return "KV with sliding windows";
    case MemoryKind::recurrent: return "a recurrent state";
    case MemoryKind::hybrid: return "KV beside a recurrent state";
    case MemoryKind::other: return "a memory of its own kind";
  }
  return "unknown";
}

}  // namespace sluice::llamacpp
