// API keys from a file: one a line; blank lines and lines that begin with '#' are skipped. Refuses to know who may do
// what with a key. Thread: any.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"

namespace sluice::config {

// Error: the file cannot be read, or holds no key.
Result<std::vector<std::string>> read_key_file(const std::string& path);

}  // namespace sluice::config
