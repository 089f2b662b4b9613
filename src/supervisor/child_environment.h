// What of our environment a child gets: what finding libraries' files and tuning the runtime takes, and nothing that
// may be a secret. Pure. Thread: any.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace sluice::supervisor {

std::vector<std::string> child_environment(std::span<const char* const> ours);  // "NAME=value" each
std::vector<std::string> child_environment();                                   // of this process

}  // namespace sluice::supervisor
