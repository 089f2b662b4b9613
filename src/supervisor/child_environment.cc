#include "supervisor/child_environment.h"

#include <unistd.h>

#include <algorithm>
#include <string_view>

namespace sluice::supervisor {
namespace {

constexpr std::string_view kKept[] = {"PATH", "HOME", "LANG"};
constexpr std::string_view kKeptPrefixes[] = {"LC_", "CUDA_", "GGML_", "LLAMA_", "OMP_"};
// ggml would start a debugger on its own process when it aborts; the death notice needs none.
constexpr std::string_view kNoBacktrace = "GGML_NO_BACKTRACE";

bool is_kept(std::string_view name) {
  if (name == kNoBacktrace) return false;  // set by us
  return std::ranges::find(kKept, name) != std::end(kKept) ||
         std::ranges::any_of(kKeptPrefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace

std::vector<std::string> child_environment(std::span<const char* const> ours) {
  std::vector<std::string> kept;
  for (const char* entry : ours) {
    const std::string_view text(entry);
    if (is_kept(text.substr(0, text.find('=')))) kept.emplace_back(text);
  }
  kept.push_back(std::string(kNoBacktrace) + "=1");
  return kept;
}

std::vector<std::string> child_environment() {
  size_t count = 0;
  while (::environ && ::environ[count]) ++count;
  return child_environment(std::span<const char* const>(::environ, count));
}

}  // namespace sluice::supervisor
