// How much of the cores we may run on other processes use: what /proc/stat says was used, less what we used. Refuses to
// know what follows from it. Thread: step.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string_view>

#include "base/time.h"

namespace sluice::llamacpp {

// Ticks of processes and of the hypervisor on these cores, of the text of /proc/stat; interrupts and idling are
// nobody's.
uint64_t busy_ticks(std::string_view stat, const std::set<int>& cores);

class CoreUse final {
 public:
  struct Window {
    Duration wall{}, own{}, others{};  // own, others: processor time, of all our cores together
  };

  CoreUse();
  // What happened since the last window; absent where that is not long enough ago.
  std::optional<Window> window(TimePoint now);

 private:
  struct Reading {
    TimePoint at;
    uint64_t busy_ticks = 0;
    Duration own{};
  };
  Reading read(TimePoint now) const;

  std::set<int> cores_;
  std::optional<Reading> last_;
};

}  // namespace sluice::llamacpp
