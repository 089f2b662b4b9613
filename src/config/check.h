// What must hold between options that are each possible alone. Refuses to know flags' spelling beyond their names.
// Thread: any.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "config/options.h"

namespace sluice::config {

inline constexpr const char* kCacheTypes = "f32, f16, bf16, q8_0, q5_1, q5_0, q4_1, q4_0, iq4_nl";

inline constexpr const char* kClassNames = "interactive, completion, agent, background";

Result<std::string> cache_type(const std::string& word);
Result<FlashAttention> flash_attention(const std::string& word);
Result<TuneMode> tune_mode(const std::string& word);
Result<LogLevel> log_level(const std::string& word);
Result<std::string> model_name(const std::string& word);
Result<Class> class_of(const std::string& word);
Result<void> add_aliases(const std::string& comma_separated, std::vector<Alias>& aliases);
Result<std::string> runtime_name(const std::string& word);  // part of a file's name: no slashes
Result<void> check_together(const ServeOptions& options);

}  // namespace sluice::config
