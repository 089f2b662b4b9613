#include "runtime/passes.h"

#include <gtest/gtest.h>

#include "runtime/fake_runtime.h"

namespace sluice {
namespace {

const std::vector<Token> kTokens(400, 1);

Feed rows(int32_t seq, size_t count) { return {SequenceId{seq}, std::span(kTokens).first(count), 0, {}}; }

std::vector<std::vector<std::pair<size_t, size_t>>> split(std::vector<Feed> feeds, const Capabilities& can) {
  std::vector<std::vector<std::pair<size_t, size_t>>> passes;
  for (const Pass& pass : split_into_passes(feeds, can)) {
    auto& shares = passes.emplace_back();
    for (const PassShare& share : pass) shares.emplace_back(share.feed, share.rows);
  }
  return passes;
}

using Shares = std::vector<std::vector<std::pair<size_t, size_t>>>;

TEST(Passes, AdjacentSingleRowsShareAPass) {
  const auto can = fake_capabilities(8, 512, 10, {});
  EXPECT_EQ(split({rows(0, 1), rows(1, 1), rows(2, 1)}, can), (Shares{{{0, 1}, {1, 1}, {2, 1}}}));
}

TEST(Passes, LanesZeroTwoAndFiveAreThreePasses) {
  const auto can = fake_capabilities(8, 512, 10, {});
  EXPECT_EQ(split({rows(0, 1), rows(2, 1), rows(5, 1)}, can).size(), 3u);
}

TEST(Passes, UnequalFeedsAdvanceByTheShortest) {
  const auto can = fake_capabilities(8, 512, 10, {});
  EXPECT_EQ(split({rows(0, 5), rows(1, 3)}, can), (Shares{{{0, 3}, {1, 3}}, {{0, 2}}}));
}

TEST(Passes, ALongFeedIsCutAtThePassWidth) {
  const auto can = fake_capabilities(8, 512, 10, {});
  EXPECT_EQ(split({rows(0, 300)}, can), (Shares{{{0, 128}}, {{0, 128}}, {{0, 44}}}));
}

TEST(Passes, FusedPassesFillUp) {
  auto can = fake_capabilities(8, 512, 10, {});
  can.equal_rows_per_pass = can.adjacent_ids_per_pass = Capability::no("scripted");
  can.mixed_passes = Capability::yes();
  EXPECT_EQ(split({rows(0, 1), rows(4, 200)}, can), (Shares{{{0, 1}, {1, 127}}, {{1, 73}}}));
}

}  // namespace
}  // namespace sluice
