#include "engine/order.h"

namespace sluice::engine {

bool sooner(const Standing& a, const Standing& b) {
  if (a.waited != b.waited) return a.waited > b.waited;
  return a.arrival < b.arrival;
}

}  // namespace sluice::engine
