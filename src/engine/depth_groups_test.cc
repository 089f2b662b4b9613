#include "engine/depth_groups.h"

#include <gtest/gtest.h>

namespace sluice::engine {
namespace {

using namespace std::chrono_literals;
constexpr Token kToken[] = {1};

// 2 ms a pass, 1 ms a row, 1 ms a row for each 1024 tokens of depth.
CostModel taught() {
  CostModel costs;
  for (int i = 0; i < 400; ++i) {
    for (const CallShape shape : {CallShape{1, 1, 64}, CallShape{8, 1, 64}, CallShape{8, 3, 128}, CallShape{1, 1, 4096},
                                  CallShape{8, 1, 4096}, CallShape{4, 2, 2048}}) {
      const double ms = 2.0 * shape.passes + shape.rows + shape.rows * shape.depth / 1024.0;
      costs.learn(CallKind::decode, shape, from_us(1000 * ms));
    }
  }
  return costs;
}

std::vector<PlannedFeed> lanes_at(std::vector<Position> depths) {
  std::vector<PlannedFeed> feeds;
  for (const Position depth : depths) {
    const auto id = static_cast<int32_t>(feeds.size());
    feeds.push_back({GenerationId{static_cast<uint64_t>(id) + 1}, SequenceId{id}, depth, kToken, true});
  }
  return feeds;
}

TEST(DepthGroups, OneDeepLaneDecodesApartFromManyShallowOnes) {
  const auto groups = group_by_depth(lanes_at({60, 60, 60, 60, 60, 60, 60, 3500}), taught(), true);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].size(), 7u);
  ASSERT_EQ(groups[1].size(), 1u);
  EXPECT_EQ(groups[1][0].seq, SequenceId{7});
}

TEST(DepthGroups, LanesOfLikeDepthStayTogether) {
  EXPECT_EQ(group_by_depth(lanes_at({3000, 3500, 3200, 4000}), taught(), true).size(), 1u);
  EXPECT_EQ(group_by_depth(lanes_at({10, 20, 30, 200}), taught(), true).size(), 1u);
}

TEST(DepthGroups, ASplitThatTearsAdjacentLanesIntoManyPassesIsNotMade) {
  const std::vector<PlannedFeed> feeds = lanes_at({60, 1000, 60, 1000, 60, 1000, 60, 1000});
  EXPECT_EQ(group_by_depth(feeds, taught(), true).size(), 1u);
  EXPECT_EQ(group_by_depth(feeds, taught(), false).size(), 2u);
}

TEST(DepthGroups, WithoutAnythingLearnedNothingIsSplit) {
  EXPECT_EQ(group_by_depth(lanes_at({60, 8000}), CostModel(), true).size(), 1u);
}

}  // namespace
}  // namespace sluice::engine
