// What `sluice tune` was asked, as plain values, checked. Refuses to know flags' spelling. Thread: any.
#pragma once

#include <cstdint>
#include <optional>

#include "config/options.h"

namespace sluice::config {

struct TuneOptions {
  ServeOptions serve;  // what `sluice serve` would be told: the tuning is of that
  bool redo = false;
  bool unpin = false;
  std::optional<bool> pin_flash_attention;
  std::optional<uint32_t> pin_threads;
  bool pins() const { return pin_flash_attention || pin_threads; }
};

}  // namespace sluice::config
