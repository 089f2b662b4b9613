#include "engine/adjacency.h"

#include <gtest/gtest.h>

namespace sluice::engine {
namespace {

IdSet ids(std::initializer_list<int> members) {
  IdSet out;
  for (const int id : members) out.set(static_cast<size_t>(id));
  return out;
}

TEST(Adjacency, EachUnbrokenRunIsOnePass) {
  EXPECT_EQ(runs_of(ids({})), 0u);
  EXPECT_EQ(runs_of(ids({0, 1, 2})), 1u);
  EXPECT_EQ(runs_of(ids({0, 2, 5})), 3u);
  EXPECT_EQ(runs_of(ids({0, 255})), 2u);
}

TEST(Adjacency, OuterRunsAreFound) {
  const IdSet set = ids({1, 2, 4, 7, 8});
  EXPECT_EQ(first_run(set), ids({1, 2}));
  EXPECT_EQ(last_run(set), ids({7, 8}));
  EXPECT_EQ(lowest(set), SequenceId{1});
  EXPECT_EQ(highest(set), SequenceId{8});
  EXPECT_EQ(last_run(ids({254, 255})), ids({254, 255}));
}

TEST(Adjacency, DistanceIsToTheNearestMember) {
  EXPECT_EQ(distance(ids({2, 9}), {5}), 3u);
  EXPECT_EQ(distance(ids({2, 9}), {7}), 2u);
  EXPECT_EQ(distance(ids({2}), {2}), 0u);
  EXPECT_EQ(distance(ids({}), {3}), 0u);
}

}  // namespace
}  // namespace sluice::engine
