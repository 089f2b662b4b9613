// Which model a file is, whatever its name, place and time: its size, and a hash of its head and of pieces all over it.
// A file of many GiB is told in milliseconds. Not for what an adversary chooses. Thread: any.
#pragma once

#include <string>

#include "base/error.h"

namespace sluice::tuning {

Result<std::string> fingerprint_of(const std::string& path);  // "92345678-85944171f73967e8". Error: io

}  // namespace sluice::tuning
