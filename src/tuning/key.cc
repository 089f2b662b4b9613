#include "tuning/key.h"

#include <fmt/format.h>

#include "base/fnv.h"
#include "tuning/fingerprint.h"
#include "tuning/machine.h"

namespace sluice::tuning {
namespace {

// A character that no part has keeps neighbours apart.
std::string without_build(const Key& key) {
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", key.model, key.runtime, key.machine, key.device, key.gpu_layers,
                     key.cache_type_k, key.cache_type_v);
}

}  // namespace

Result<Key> key_of(const LoadOptions& load, const std::string& runtime, const std::string& build) {
  auto model = fingerprint_of(load.model_path);
  if (!model) return std::unexpected(std::move(model.error()));
  return Key{*std::move(model), build,           runtime,           machine_words(),
             load.device,       load.gpu_layers, load.cache_type_k, load.cache_type_v};
}

uint64_t hash_of(const Key& key) { return fnv1a(without_build(key) + "\n" + key.build); }

std::string tuning_file_name(const Key& key) { return hex16(hash_of(key)) + ".tuning"; }

std::string pin_file_name(const Key& key) { return hex16(fnv1a(without_build(key))) + ".pin"; }

}  // namespace sluice::tuning
