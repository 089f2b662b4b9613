// What a tuning holds for. Everything that can change which settings are fast or which bytes they give is in it; lanes
// and window are not, as they change from start to start and must not change bytes. Thread: any (values).
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "runtime/load.h"

namespace sluice::tuning {

struct Key {
  std::string model;    // fingerprint
  std::string build;    // build_id() of daemon and worker
  std::string runtime;  // "llamacpp"
  std::string machine;
  std::string device;  // --device
  int32_t gpu_layers = -1;
  std::string cache_type_k, cache_type_v;
  bool operator==(const Key&) const = default;
};

// Reads parts of the model and asks the machine. Error: io.
Result<Key> key_of(const LoadOptions& load, const std::string& runtime, const std::string& build);

uint64_t hash_of(const Key& key);
std::string tuning_file_name(const Key& key);
std::string pin_file_name(const Key& key);  // the same for all builds: a pin is a person's decision

}  // namespace sluice::tuning
