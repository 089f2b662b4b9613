// A tuning and a pin as bytes and back; docs/formats/tuning.md describes them. Pure. Thread: any.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "tuning/stored.h"

namespace sluice::tuning {

inline constexpr int kFormatVersion = 1;

std::string write(const Stored& stored);
std::string write(const Pin& pin);

// Error: invalid, with what is wrong.
Result<Stored> read_stored(std::string_view bytes);
Result<Pin> read_pin(std::string_view bytes);

}  // namespace sluice::tuning
