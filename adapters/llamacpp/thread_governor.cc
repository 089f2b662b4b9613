#include "adapters/llamacpp/thread_governor.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace sluice::llamacpp {
namespace {

constexpr double kCoreLost = 0.5;                           // a core that others use this much of is theirs
constexpr double kBusyShare = 0.5;                          // of one core: below this we mostly waited for work
constexpr double kCoreIdle = 0.25;                          // and is ours again when they use less than this
constexpr Duration kCalm = std::chrono::milliseconds(500);  // this long, before we compute on it again

}  // namespace

ThreadGovernor::ThreadGovernor(uint32_t threads_max, uint32_t cores)
    : threads_max_(threads_max), cores_(cores), threads_(threads_max) {
  CHECK(threads_max > 0 && cores > 0);
}

uint32_t ThreadGovernor::threads_within(double cores_left) const {
  if (cores_left >= cores_) return threads_max_;  // also where more threads than cores were asked for
  return std::clamp(static_cast<uint32_t>(std::max(0.0, std::floor(cores_left))), 1u, threads_max_);
}

void ThreadGovernor::on_window(Duration wall, Duration own, Duration others) {
  if (to_seconds(own) < kBusyShare * to_seconds(wall)) {
    threads_ = threads_max_;
    calm_ = {};
    return;
  }
  const double left = cores_ - to_seconds(others) / to_seconds(wall);
  threads_ = std::min(threads_, threads_within(std::ceil(left - kCoreLost)));
  const uint32_t more = threads_within(left + kCoreIdle);
  calm_ = more > threads_ ? calm_ + wall : Duration{};
  if (calm_ < kCalm) return;
  threads_ = more;
  calm_ = {};
}

}  // namespace sluice::llamacpp
