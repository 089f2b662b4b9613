// Whose lane a newcomer would get.
#include "engine/holders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <random>

namespace sluice::engine {
namespace {

class HoldersTest : public testing::Test {
 protected:
  void holds(uint64_t id, Claim claim, bool is_idle = false, Position moves = 0) {
    GenerationSpec spec;
    spec.prompt = {1};
    spec.cls = claim.cls;
    claim.arrival = id;
    Generation& g = generations_.emplace_back(GenerationId{id}, spec, TimePoint{}, id);
    all_.push_back({&g, ranked(claim), is_idle, moves});
  }

  uint64_t gives_way(const Claim& newcomer, std::optional<Class> of = {}) const {
    const Holders holders(all_);
    const Generation* g = holders.first_to_give_way(ranked(newcomer), of);
    EXPECT_TRUE(g == nullptr || holders.may_give_way(ranked(newcomer)));
    return g != nullptr ? g->id().raw : 0;
  }

  std::deque<Generation> generations_;
  std::vector<Holder> all_;
};

TEST_F(HoldersTest, NobodyGivesWayToWhoOutranksNobody) {
  holds(1, {});
  EXPECT_EQ(gives_way({.arrival = 2}), 0u);
  EXPECT_EQ(gives_way({.service = 600, .arrival = 2}), 0u);
}

TEST_F(HoldersTest, TheLastInOrderGivesWay) {
  holds(1, {.service = 600});
  holds(2, {.service = 9000});
  holds(3, {.service = 3000});
  EXPECT_EQ(gives_way({.arrival = 4}), 2u);
}

TEST_F(HoldersTest, RatherWhosePromptWaitsForItsTurn) {
  holds(1, {.service = 9000});
  holds(2, {.service = 600}, true);
  EXPECT_EQ(gives_way({.arrival = 3}), 2u);
}

TEST_F(HoldersTest, OfTheIdleTheOneWithTheLeastToMove) {
  holds(1, {.service = 9000}, true, 4000);
  holds(2, {.service = 600}, true, 100);
  EXPECT_EQ(gives_way({.arrival = 3}), 2u);
}

TEST_F(HoldersTest, OfTheIdleWithAsMuchToMoveTheLastInOrder) {
  holds(1, {.service = 600}, true, 100);
  holds(2, {.service = 9000}, true, 100);
  EXPECT_EQ(gives_way({.arrival = 3}), 2u);
}

TEST_F(HoldersTest, OfItsClassOnlyWhereThatIsAsked) {
  holds(1, {.cls = Class::agent, .service = 600});
  holds(2, {.cls = Class::background, .service = 600});
  EXPECT_EQ(gives_way({.cls = Class::agent, .arrival = 3}), 2u);
  EXPECT_EQ(gives_way({.cls = Class::agent, .arrival = 3}, Class::agent), 1u);
}

TEST_F(HoldersTest, WithoutAnyNobodyGivesWay) {
  EXPECT_EQ(gives_way({}), 0u);
  EXPECT_FALSE(Holders().may_give_way(ranked({.cls = Class::interactive})));
}

Claim any_claim(std::mt19937& random) {
  const auto below = [&](uint64_t n) { return random() % n; };
  const auto sharer = [&] {
    return Sharer{.id = below(3), .lead = below(4) * kQuantum, .lanes = 1 + static_cast<uint32_t>(below(3))};
  };
  return {.cls = kClasses[below(std::size(kClasses))],
          .starved = std::chrono::seconds(below(25)),
          .paused = below(4) == 0,
          .key_starved = below(2) == 0 ? std::optional<Duration>(std::chrono::seconds(below(25))) : std::nullopt,
          .key = sharer(),
          .session = sharer(),
          .service = below(3) * 600,
          .prompt_left = below(3) * 600,
          .arrival = 1000 + below(1000)};
}

TEST_F(HoldersTest, WhoIsToldToOutrankNobodyDoesNot) {
  std::mt19937 random(1);
  int refused = 0;
  for (int round = 0; round < 300; ++round) {
    all_.clear();
    for (uint64_t id = 1; id <= 6; ++id) holds(id, any_claim(random));
    const Holders holders(all_);
    for (int i = 0; i < 20; ++i) {
      const Ranked newcomer = ranked(any_claim(random));
      const bool outranks_one =
          std::ranges::any_of(all_, [&](const Holder& holder) { return outranks(newcomer, holder.ranked); });
      EXPECT_EQ(holders.first_to_give_way(newcomer, {}) != nullptr, outranks_one);
      EXPECT_TRUE(!outranks_one || holders.may_give_way(newcomer));
      refused += holders.may_give_way(newcomer) ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace sluice::engine
