// FNV-1a, 64 bits: the same bytes give the same number in every process and build. Not for keys: whoever knows it can
// make collisions. Thread: any.
#pragma once

#include <cstdint>
#include <string_view>

namespace sluice {

constexpr uint64_t fnv1a(std::string_view bytes, uint64_t seed = 0xcbf29ce484222325u) {
  for (const char byte : bytes) seed = (seed ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  return seed;
}

}  // namespace sluice
