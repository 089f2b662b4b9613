// Random numbers that are a function of the seed alone, on every machine and with every library. Refuses to know what
// they decide. Thread: one at a time per object.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace sluice::sim {

// splitmix64's finalizer (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014).
constexpr uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

class Random final {
 public:
  explicit Random(uint64_t seed) : state_(mix(seed)) {}

  uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15u); }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(next() % n); }  // n > 0
  uint32_t between(uint32_t low, uint32_t high) { return low + below(high - low + 1); }
  bool chance(double percent) { return unit() * 100 < percent; }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }  // [0, 1)
  double real(double low, double high) { return low + (high - low) * unit(); }
  // As often between 1 and 10 as between 10 and 100.
  double log_between(double low, double high) { return low * std::exp(unit() * std::log(high / low)); }
  uint32_t log_whole(uint32_t low, uint32_t high) {  // low > 0
    return static_cast<uint32_t>(log_between(static_cast<double>(low), high + 0.999));
  }
  double exponential(double mean) { return -mean * std::log(1 - unit()); }
  template <class T, size_t N>
  const T& one_of(const std::array<T, N>& values) {
    return values[below(N)];
  }
  // What is drawn from the fork leaves the draws from this one as they are.
  Random fork() { return Random(next()); }

 private:
  uint64_t state_;
};

}  // namespace sluice::sim
