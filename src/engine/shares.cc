#include "engine/shares.h"

#include <algorithm>

#include "base/check.h"

namespace sluice::engine {

void Share::change_lanes(Class cls, int by) {
  const auto index = static_cast<size_t>(cls);
  lanes_[index] += static_cast<uint32_t>(by);
  if (by > 0) lost_last_[index].reset();
}

Share& Shares::enter(uint64_t id) {
  const uint64_t start = least();
  const auto [it, is_new] = live_.try_emplace(id);
  if (is_new) it->second.served_ = start;
  ++it->second.live_;
  return it->second;
}

void Shares::leave(uint64_t id) {
  const auto it = live_.find(id);
  CHECK(it != live_.end() && it->second.live_ > 0);
  if (--it->second.live_ > 0) return;
  const uint64_t last = it->second.served_;
  live_.erase(it);
  least_is_known_ = false;
  if (live_.empty()) {  // whoever comes next starts here
    least_ = last;
    least_is_known_ = true;
  }
}

void Shares::charge(Share& share, uint64_t tokens) {
  share.served_ += tokens;
  least_is_known_ = false;
}

uint64_t Shares::least() const {
  if (least_is_known_ || live_.empty()) return least_;
  least_ = UINT64_MAX;
  for (const auto& [id, share] : live_) least_ = std::min(least_, share.served_);
  least_is_known_ = true;
  return least_;
}

}  // namespace sluice::engine
