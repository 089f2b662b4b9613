#include "sim/machine.h"

#include <algorithm>

namespace sluice::sim {

Duration Machine::about(double us) { return from_us(us * (1 + spec_.noise * random_.real(-1.0, 1.0))); }

Duration Machine::call(const engine::PlannedCall& call, uint32_t passes) {
  double rows = 0, depth = 0;
  for (const engine::PlannedFeed& feed : call.feeds) {
    rows += static_cast<double>(feed.tokens.size());
    depth = std::max(depth, static_cast<double>(feed.first) + static_cast<double>(feed.tokens.size()));
  }
  const double us = spec_.pass_us * passes + rows * (spec_.row_us + spec_.depth_us * depth / 1024);
  return about(random_.chance(spec_.hiccups) ? us * spec_.hiccup : us);
}

Duration Machine::move(const engine::KvMove& move) {
  if (const auto* out = std::get_if<engine::ExportKv>(&move)) return about(spec_.move_us * out->upto);
  if (const auto* in = std::get_if<engine::ImportKv>(&move)) return about(spec_.move_us * in->upto);
  return about(std::holds_alternative<engine::CopyKv>(move) ? spec_.copy_us : 1);
}

}  // namespace sluice::sim
