// Where a server's API keys come from, and all of them together; files are read each time anew. Refuses to know who may
// do what with a key. Thread: any.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "config/api_key.h"

namespace sluice::config {

struct KeySources {
  std::vector<std::string> plain;  // --api-key
  std::string plain_file;          // --api-key-file; empty: none
  std::string table_file;          // --api-keys; empty: none
  bool has_files() const { return !plain_file.empty() || !table_file.empty(); }
};

// Those without a name are key1, key2, ... in their order. Error: a file cannot be read, or is wrong; two keys that are
// the same or have the same name; too many. `field` names the option.
Result<std::vector<ApiKey>> read_keys(const KeySources& sources);

}  // namespace sluice::config
