#include "engine/depth_groups.h"

#include <algorithm>

namespace sluice::engine {
namespace {

constexpr double kSplitGainWanted = 1.05;  // predictions are not better than that

Duration cost_of(const std::vector<PlannedFeed>& feeds, const CostModel& costs, bool adjacent) {
  return costs.predict(CallKind::decode,
                       shape_of({.kind = CallKind::decode, .feeds = feeds, .predicted = {}}, adjacent));
}

std::vector<Position> depths_of(const std::vector<PlannedFeed>& feeds) {
  std::vector<Position> depths;
  for (const PlannedFeed& feed : feeds) depths.push_back(feed.first);
  std::ranges::sort(depths);
  depths.erase(std::ranges::unique(depths).begin(), depths.end());
  return depths;
}

}  // namespace

std::vector<std::vector<PlannedFeed>> group_by_depth(std::vector<PlannedFeed> feeds, const CostModel& costs,
                                                     bool adjacent_ids_per_pass) {
  std::vector<PlannedFeed> shallow, deep, best_shallow, best_deep;
  Duration best = cost_of(feeds, costs, adjacent_ids_per_pass);
  best = Duration(static_cast<Duration::rep>(static_cast<double>(best.count()) / kSplitGainWanted));
  const std::vector<Position> depths = depths_of(feeds);
  for (size_t i = 1; i < depths.size(); ++i) {
    if (depths[i] < 2 * depths[i - 1]) continue;  // what is saved is less than what a pass costs
    shallow.clear(), deep.clear();
    for (const PlannedFeed& feed : feeds) (feed.first < depths[i] ? shallow : deep).push_back(feed);
    const Duration cost = cost_of(shallow, costs, adjacent_ids_per_pass) + cost_of(deep, costs, adjacent_ids_per_pass);
    if (cost >= best) continue;
    best = cost;
    best_shallow = shallow;
    best_deep = deep;
  }
  if (best_deep.empty()) return {std::move(feeds)};
  return {std::move(best_shallow), std::move(best_deep)};
}

}  // namespace sluice::engine
