// Four floats in one register, for the two loops that go through a whole vocabulary: their maximum and the sum of their
// exponentials. Vector types of GCC and Clang, because the order of float operations is not the compiler's to change.
// Thread: any.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sluice::engine {

using Floats = float __attribute__((vector_size(16)));
using Ints = int32_t __attribute__((vector_size(16)));
inline constexpr size_t kLanes = sizeof(Floats) / sizeof(float);

inline Floats lanes_at(const float* from) {
  Floats lanes;
  std::memcpy(&lanes, from, sizeof(lanes));
  return lanes;
}

inline Floats all(float value) { return Floats{value, value, value, value}; }

// A NaN in `a` gives `b`.
inline Floats greater(Floats a, Floats b) { return a > b ? a : b; }

// e^x for x <= 0, to 1.5e-7 of itself; what is below -87, or NaN, counts as -87. With k = round(x / ln 2) and
// r = x - k ln 2, e^x is 2^k e^r, and e^r its Taylor polynomial: |r| < 0.35 makes r^8 / 8! < 6e-9.
inline Floats exp_of_negative(Floats x) {
  constexpr float kRound = 0x1.8p23f;  // adding it leaves the integer in the lowest bits
  constexpr float kLn2High = 0x1.62e4p-1f, kLn2Low = 0x1.7f7d1cp-20f;
  x = greater(x, all(-87));
  const Floats shifted = x * 0x1.715476p0f + kRound;
  const Floats k = shifted - kRound;
  const Floats r = x - k * kLn2High - k * kLn2Low;
  Floats sum = r * (1.f / 5040) + 1.f / 720;
  for (const float factorial : {120.f, 24.f, 6.f, 2.f, 1.f, 1.f}) sum = sum * r + 1 / factorial;
  const Ints exponent = (std::bit_cast<Ints>(shifted) << 23) + (127 << 23);
  return sum * std::bit_cast<Floats>(exponent);
}

}  // namespace sluice::engine
