// What keys and sessions got, as src/engine/shares.h promises it: a second account, kept apart from the engine's.
// Refuses to know who goes first. Thread: one at a time per object.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>

namespace sluice::sim {

class Tally final {
 public:
  void enter(uint64_t id) {
    const uint64_t start = least();
    const auto [it, is_new] = live_.try_emplace(id);
    if (is_new) it->second.served = start;
    ++it->second.live;
  }
  void leave(uint64_t id) {
    const auto it = live_.find(id);
    if (--it->second.live > 0) return;
    if (live_.size() == 1) last_ = it->second.served;
    live_.erase(it);
  }
  void charge(uint64_t id, uint64_t tokens) { live_.at(id).served += tokens; }
  uint64_t lead(uint64_t id) const { return live_.at(id).served - least(); }

 private:
  struct Entry {
    uint64_t served = 0;
    uint32_t live = 0;
  };
  uint64_t least() const {
    if (live_.empty()) return last_;
    uint64_t least = UINT64_MAX;
    for (const auto& [id, entry] : live_) least = std::min(least, entry.served);
    return least;
  }
  std::map<uint64_t, Entry> live_;
  uint64_t last_ = 0;
};

}  // namespace sluice::sim
