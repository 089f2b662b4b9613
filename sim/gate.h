// The daemon's own check of who asks, in front of the engine. Refuses to know what is asked. Thread: one at a time per
// object.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "admission/admission.h"
#include "admission/presented_key.h"

namespace sluice::sim {

class Gate final {
 public:
  explicit Gate(uint32_t keys) : admission_({}, keys_of(keys), TimePoint{}) {}

  // The number of the key; 0 where none is needed; empty: refused.
  std::optional<uint32_t> key_of(const std::string& authorization) const {
    if (!admission_.key_required()) return 0;
    const auto presented = admission::presented_key(authorization, std::nullopt);
    const auto account = presented ? admission_.account_of(*presented) : nullptr;
    return account ? std::optional(account->number()) : std::nullopt;
  }

 private:
  static std::vector<config::ApiKey> keys_of(uint32_t count) {
    std::vector<config::ApiKey> keys(count);
    for (uint32_t i = 1; i <= count; ++i) {
      keys[i - 1].name = "key" + std::to_string(i);
      keys[i - 1].hash = sha256("secret-" + std::to_string(i));
    }
    return keys;
  }
  admission::Admission admission_;
};

}  // namespace sluice::sim
