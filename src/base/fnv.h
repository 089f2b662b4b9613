// FNV-1a, 64 bits: the same number for the same bytes in every build and on every machine, so it may be stored. Not for
// what an adversary chooses. Thread: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice {

inline constexpr uint64_t kFnvStart = 0xcbf29ce484222325;

// Goes on from `before`: bytes in pieces give the number of the whole.
uint64_t fnv1a(std::string_view bytes, uint64_t before = kFnvStart);
std::string hex16(uint64_t number);  // 16 digits

}  // namespace sluice
