// An allowance that refills with time. What is taken may exceed what is left: the rest is owed, and nothing more is to
// be had until it has refilled. Pure: time comes in. Refuses to know what is allowed. Thread: any one at a time.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/time.h"

namespace sluice::admission {

class Bucket final {
 public:
  Bucket(uint32_t per_minute, TimePoint now) : per_minute_(per_minute), left_(per_minute), when_(now) {}  // full

  void take(double amount, TimePoint now);
  void give_back(double amount, TimePoint now);  // of what was taken
  // How long until there is one to be had, in whole seconds; 0: now.
  std::chrono::seconds wait(TimePoint now) const;
  void change(uint32_t per_minute, TimePoint now);  // what was taken stays taken

 private:
  double left_at(TimePoint now) const;

  uint32_t per_minute_;
  double left_;
  TimePoint when_;  // of left_
};

}  // namespace sluice::admission
