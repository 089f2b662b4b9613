// Which settings a worker is told: flags, then a pin, then a stored tuning; what is still open is measured. Pure.
// Thread: any.
#pragma once

#include <optional>
#include <string>

#include "tuning/stored.h"

namespace sluice::tuning {

struct Decided {
  LoadOptions load;  // its `tune` is set where something is open
  // Where each comes from, in words; empty where it is open.
  std::string flash_attention_from, threads_from;
};

Decided decide(const LoadOptions& asked, const Pin& pin, const std::optional<Stored>& stored);

// What came of measuring fills what was open.
void fill_in(Decided& decided, const TuningChoice& choice, const std::string& from);

// "flash attention off, 2 threads (stored tuning of 2026-11-30)". Nothing is open.
std::string words_of(const Decided& decided);

std::string day_of(int64_t unix_seconds);  // "2026-11-30", UTC

}  // namespace sluice::tuning
