// API keys with names, classes and limits, from TOML:
//
//   [[key]]
//   name = "team-a"
//   sha256 = "64 hex digits"    # printf %s "$KEY" | sha256sum
//   class = "agent"             # the rest may be left away
//   max_class = "interactive"
//   requests_per_minute = 60
//   tokens_per_minute = 100000
//   concurrency = 8
//
// Refuses to know files and who may do what with a key. Thread: any.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "config/api_key.h"

namespace sluice::config {

// Error: invalid, naming the line. An unknown field is one: a limit that is misspelt would be no limit.
Result<std::vector<ApiKey>> parse_key_table(const std::string& text);

}  // namespace sluice::config
