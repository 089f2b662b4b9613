// What everybody got, in weighted tokens, and what lanes each has, so that keys and sessions share fairly.
// Whoever comes back after having had nothing live starts where the least served of the others stands: what was not
// asked for is not saved up, and what was got before is not held against anybody. (Start-time fair queueing, Goyal,
// Vin, Cheng, SIGCOMM 1996, without its finish tags.) Refuses to know what a share is of. Thread: step.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "core/core.h"

namespace sluice::engine {

class Share final {
 public:
  uint64_t served() const { return served_; }
  uint32_t lanes() const { return std::accumulate(lanes_.begin(), lanes_.end(), 0u); }
  uint32_t lanes_of(Class cls) const { return lanes_[static_cast<size_t>(cls)]; }
  void change_lanes(Class cls, int by);
  void lose_last_lane(Class cls, TimePoint now) { lost_last_[static_cast<size_t>(cls)] = now; }  // to another key
  std::optional<TimePoint> lost_last_lane(Class cls) const { return lost_last_[static_cast<size_t>(cls)]; }

 private:
  friend class Shares;
  uint64_t served_ = 0;
  std::array<uint32_t, std::size(kClasses)> lanes_{};
  std::array<std::optional<TimePoint>, std::size(kClasses)> lost_last_{};  // when; until it has one again
  uint32_t live_ = 0;
};

class Shares final {
 public:
  // One more generation of `id` lives. The share stays where it is until as many have left.
  Share& enter(uint64_t id);
  void leave(uint64_t id);
  void charge(Share& share, uint64_t tokens);
  // How much more it got than the one that got least.
  uint64_t lead(const Share& share) const { return share.served_ - least(); }
  size_t size() const { return live_.size(); }

 private:
  uint64_t least() const;

  std::unordered_map<uint64_t, Share> live_;  // those with something live
  mutable uint64_t least_ = 0;
  mutable bool least_is_known_ = true;
};

}  // namespace sluice::engine
