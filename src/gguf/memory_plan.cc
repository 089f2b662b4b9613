#include "gguf/memory_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/limits.h"

namespace sluice::gguf {
namespace {

constexpr std::array<CacheType, 9> kCacheTypes = {{
    {"f32", 1, 4},
    {"f16", 1, 2},
    {"bf16", 1, 2},
    {"q8_0", 32, 34},
    {"q5_1", 32, 24},
    {"q5_0", 32, 22},
    {"q4_1", 32, 20},
    {"q4_0", 32, 18},
    {"iq4_nl", 32, 18},
}};

uint64_t bytes_of(uint64_t elements, const CacheType& type) {
  return (elements + type.block_elements - 1) / type.block_elements * type.block_bytes;
}

uint64_t round_up(uint64_t tokens) { return (tokens + kWindowStep - 1) / kWindowStep * kWindowStep; }

uint64_t kv_bytes(const WindowRequest& request, uint64_t window) {
  return round_up(window) * request.lanes * request.kv_bytes_per_token;
}

// The largest window in whole steps whose KV fits `bytes`.
uint64_t window_within(const WindowRequest& request, uint64_t bytes) {
  const uint64_t per_token = request.lanes * request.kv_bytes_per_token;
  if (per_token == 0) return limits::window_tokens_max;
  return std::min<uint64_t>(bytes / per_token / kWindowStep * kWindowStep, limits::window_tokens_max);
}

std::string mib(uint64_t bytes) { return fmt::format("{} MiB", (bytes + (1u << 20) - 1) >> 20); }

Error does_not_fit(const WindowRequest& request, uint64_t window, std::string field) {
  const auto fits = window_within(request, request.available_bytes);
  return {
      ErrorCode::invalid,
      fmt::format("KV of {} lanes of {} tokens takes {}, and {} of memory are available: {}", request.lanes, window,
                  mib(kv_bytes(request, window)), mib(request.available_bytes),
                  fits >= limits::window_tokens_min
                      ? fmt::format("--context {} would fit, or fewer --lanes, or a smaller --cache-type-k/-v", fits)
                      : "fewer --lanes or a smaller --cache-type-k/-v would help"),
      std::move(field)};
}

WindowChoice chosen(const WindowRequest& request, uint64_t window) {
  return {.window = static_cast<uint32_t>(window),
          .kv_bytes = kv_bytes(request, window),
          .beyond_training = window > request.trained};
}

Result<WindowChoice> asked_window(const WindowRequest& request, uint32_t asked) {
  if (asked < limits::window_tokens_min || asked > limits::window_tokens_max)
    return fail(ErrorCode::invalid,
                fmt::format("a window of {} tokens; {} to {} is possible", asked, limits::window_tokens_min,
                            limits::window_tokens_max),
                "context");
  if (kv_bytes(request, asked) > request.available_bytes)
    return std::unexpected(does_not_fit(request, asked, "context"));
  return chosen(request, asked);
}

}  // namespace

std::span<const CacheType> cache_types() { return kCacheTypes; }

const CacheType* find_cache_type(std::string_view name) {
  const auto it = std::ranges::find(kCacheTypes, name, &CacheType::name);
  return it == kCacheTypes.end() ? nullptr : &*it;
}

std::string cache_type_names() {
  std::string names;
  for (const auto& type : kCacheTypes) names += fmt::format("{}{}", names.empty() ? "" : ", ", type.name);
  return names;
}

Result<uint64_t> kv_bytes_per_token(uint64_t k_elements, uint64_t v_elements, std::string_view k_type,
                                    std::string_view v_type) {
  const auto* k = find_cache_type(k_type);
  const auto* v = find_cache_type(v_type);
  if (k == nullptr || v == nullptr)
    return fail(ErrorCode::invalid,
                fmt::format("no cache type \"{}\"; there are {}", k == nullptr ? k_type : v_type, cache_type_names()),
                k == nullptr ? "cache-type-k" : "cache-type-v");
  return bytes_of(k_elements, *k) + bytes_of(v_elements, *v);
}

Result<WindowChoice> choose_window(const WindowRequest& request) {
  if (request.lanes == 0 || request.lanes > limits::lanes_max)
    return fail(ErrorCode::invalid, fmt::format("{} lanes; 1 to {} are possible", request.lanes, limits::lanes_max),
                "lanes");
  if (request.asked) return asked_window(request, *request.asked);
  const auto wanted = std::min<uint64_t>(request.trained, limits::window_tokens_max);
  if (kv_bytes(request, wanted) <= request.budget_bytes) return chosen(request, wanted);
  const auto least = std::min<uint64_t>(wanted, limits::window_tokens_min);
  const auto window = std::clamp<uint64_t>(window_within(request, request.budget_bytes), least, wanted);
  if (kv_bytes(request, window) > request.available_bytes)
    return std::unexpected(does_not_fit(request, window, "lanes"));
  auto choice = chosen(request, window);
  choice.reduced_by_memory = window < wanted;
  return choice;
}

}  // namespace sluice::gguf
