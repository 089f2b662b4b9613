// What a load leaves open, filled with a choice: a worker is told what was decided, and decides nothing again. Thread:
// any.
#pragma once

#include "runtime/load.h"
#include "runtime/tuning.h"

namespace sluice {

// What the load names itself stays.
inline void settle(LoadOptions& load, const TuningChoice& choice) {
  load.tune = false;
  if (load.flash_attention == FlashAttention::automatic)
    load.flash_attention = choice.flash_attention ? FlashAttention::on : FlashAttention::off;
  if (load.threads == 0) load.threads = choice.threads;
}

}  // namespace sluice
