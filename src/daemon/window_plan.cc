#include "daemon/window_plan.h"

#include <fmt/format.h>

namespace sluice::daemon {
namespace {

constexpr uint64_t kBudgetShare = 4;  // KV of all lanes takes a quarter where the user names no window

std::string gib(uint64_t bytes) { return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1ull << 30)); }

// What is left beside the weights.
uint64_t available_for_kv(const VocabularyFacts& facts, uint64_t memory_available) {
  return memory_available > facts.file_bytes ? memory_available - facts.file_bytes : 0;
}

}  // namespace

Result<gguf::WindowChoice> plan_window(const VocabularyFacts& facts, const config::ServeOptions& options,
                                       uint64_t memory_available) {
  const auto per_token = gguf::kv_bytes_per_token(facts.kv_k_elements, facts.kv_v_elements, options.load.cache_type_k,
                                                  options.load.cache_type_v);
  if (!per_token) return std::unexpected(per_token.error());
  const uint64_t available = available_for_kv(facts, memory_available);
  return gguf::choose_window({.trained = facts.trained_window,
                              .lanes = options.load.lanes,
                              .kv_bytes_per_token = *per_token,
                              .budget_bytes = std::min(memory_available / kBudgetShare, available),
                              .available_bytes = available,
                              .asked = options.context});
}

std::string window_notice(const gguf::WindowChoice& choice, const VocabularyFacts& facts,
                          const config::ServeOptions& options, uint64_t memory_available) {
  if (choice.beyond_training) {
    return fmt::format("--context {} is more than the {} tokens the model was trained with: answers may get worse",
                       choice.window, facts.trained_window);
  }
  if (!choice.reduced_by_memory) return {};
  return fmt::format(
      "context is {} tokens instead of the trained {}: a quarter of the {} of memory available holds no more for {} "
      "lanes; --context N takes more, fewer --lanes or a smaller --cache-type-k/-v make room",
      choice.window, facts.trained_window, gib(memory_available), options.load.lanes);
}

}  // namespace sluice::daemon
