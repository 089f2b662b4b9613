// The daemon's own check of who asks, in front of the engine. Refuses to know what is asked. Thread: one at a time per
// object.
#pragma once

#include <optional>
#include <string>

#include "admission/admission.h"

namespace sluice::sim {

class Gate final {
 public:
  explicit Gate(uint32_t keys) : ring_(secrets(keys)) {}

  // The number of the key; 0 where none is needed; empty: refused.
  std::optional<uint32_t> key_of(const std::string& authorization) const {
    if (!ring_.required()) return 0;
    const auto presented = admission::presented_key(authorization, std::nullopt);
    const auto label = presented ? ring_.label_of(*presented) : std::nullopt;
    if (!label) return std::nullopt;
    return static_cast<uint32_t>(std::stoul(label->substr(3)));  // "key1"
  }

 private:
  static std::vector<std::string> secrets(uint32_t keys) {
    std::vector<std::string> out;
    for (uint32_t i = 1; i <= keys; ++i) out.push_back("secret-" + std::to_string(i));
    return out;
  }
  admission::KeyRing ring_;
};

}  // namespace sluice::sim
