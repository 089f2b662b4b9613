#include "engine/order.h"

namespace sluice::engine {

bool sooner(const Candidate& a, const Candidate& b) {
  if (a.waited != b.waited) return a.waited > b.waited;
  return a.arrival < b.arrival;
}

}  // namespace sluice::engine
