#include "supervisor/backoff.h"

#include <algorithm>
#include <utility>

namespace sluice::supervisor {

Backoff::Backoff(BackoffTiming timing) : timing_(timing), next_(timing.min) {}

void Backoff::on_ready(TimePoint now) { ready_since_ = now; }

Duration Backoff::on_death(TimePoint now) {
  const auto ready_since = std::exchange(ready_since_, std::nullopt);
  if (ready_since && now - *ready_since >= timing_.reset) next_ = timing_.min;
  const Duration delay = next_;
  next_ = std::min(2 * next_, timing_.max);
  return delay;
}

}  // namespace sluice::supervisor
