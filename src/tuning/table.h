// A tuning's figures for people. Pure. Thread: any.
#pragma once

#include <string>

#include "runtime/tuning.h"

namespace sluice::tuning {

// Lines, each ended. Empty where nothing was measured.
std::string table_of(const Tuning& tuning);

}  // namespace sluice::tuning
