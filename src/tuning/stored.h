// What is kept: a tuning with what it is of, and a pin. Thread: any (values).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/tuning.h"
#include "tuning/key.h"

namespace sluice::tuning {

struct Stored {
  Key key;
  std::string runtime_version;  // for people
  int64_t made = 0;             // Unix seconds
  Tuning tuning;
  bool operator==(const Stored&) const = default;
};

// A person's decision; what is absent is left to the tuning.
struct Pin {
  std::optional<bool> flash_attention;
  std::optional<uint32_t> threads;
  bool empty() const { return !flash_attention && !threads; }
  bool operator==(const Pin&) const = default;
};

}  // namespace sluice::tuning
