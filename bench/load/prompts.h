// The texts that are asked: built in, so that every run on every machine asks the same, and made unique where a cache
// must not help. Refuses to know tokenizers: lengths are aimed at, and what a prompt really had is the server's to say.
// Pure. Thread: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::bench {

inline constexpr size_t kTasks = 8;
std::string_view task(size_t index);  // coding and explanation; index modulo kTasks

// A line that differs from its first token on for different (seed, number).
std::string unique_head(uint64_t seed, uint64_t number);

// English prose of about this many tokens; the same for the same (tokens, seed).
std::string prose(uint32_t tokens, uint64_t seed);

}  // namespace sluice::bench
