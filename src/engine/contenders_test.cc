// Who may get the next lane, of those that have none.
#include "engine/contenders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

namespace sluice::engine {
namespace {

using namespace std::chrono_literals;

constexpr uint64_t kKey = 7, kOther = 8;

class ContendersTest : public testing::Test {
 protected:
  Generation& waiting(Claim claim) {
    GenerationSpec spec;
    spec.prompt = {1};
    spec.cls = claim.cls;
    claim.arrival = generations_.size() + 1;
    Generation& g = generations_.emplace_back(GenerationId{claim.arrival}, spec, TimePoint{}, claim.arrival);
    g.join(share_, nullptr);
    contenders_.add(Contender(g, claim));
    return g;
  }

  std::vector<uint64_t> firsts() const {
    std::vector<uint64_t> ids;
    for (const Contender* one : contenders_.firsts()) ids.push_back(one->generation->id().raw);
    std::ranges::sort(ids);
    return ids;
  }

  using Ids = std::vector<uint64_t>;
  Share share_;
  std::deque<Generation> generations_;
  Contenders contenders_;
};

TEST_F(ContendersTest, OfThoseWhoseKeyHasNoLaneTheFirstStandsForAll) {
  waiting({.key = {.id = kKey, .lead = 5000}});
  waiting({.key = {.id = kOther}});
  waiting({.session = {.id = kOther, .lead = 5000}});
  EXPECT_EQ(firsts(), Ids({2}));
}

TEST_F(ContendersTest, AKeyThatHasALaneStandsForItself) {
  waiting({.key = {.id = kKey, .lanes = 2}, .service = 600});
  waiting({.key = {.id = kKey, .lanes = 2}});
  waiting({.key = {.id = kOther}});
  EXPECT_EQ(firsts(), Ids({2, 3}));
}

TEST_F(ContendersTest, ASessionThatHasALaneStandsForItself) {
  waiting({.key = {.id = kKey, .lanes = 2}, .session = {.id = 1, .lanes = 2}});
  waiting({.key = {.id = kKey, .lanes = 2}, .session = {.id = 2}});
  EXPECT_EQ(firsts(), Ids({1, 2}));
}

TEST_F(ContendersTest, EveryClassStandsForItself) {
  waiting({.cls = Class::background});
  waiting({.cls = Class::interactive});
  EXPECT_EQ(firsts(), Ids({1, 2}));
}

TEST_F(ContendersTest, WhoIsTheNextIsToldWhenTheFirstHasGone) {
  Generation& first = waiting({});
  waiting({});
  contenders_.remove(first);
  EXPECT_EQ(firsts(), Ids({2}));
  contenders_.remove(generations_[1]);
  EXPECT_TRUE(contenders_.empty());
}

TEST_F(ContendersTest, OnlyThoseWhoseClaimMayHaveChangedMakeItAnew) {
  const Generation& changed = waiting({});
  waiting({});
  contenders_.renew([&](const Contender& one) { return one.generation == &changed; },
                    [](Generation& g) { return Contender(g, {.service = 600}); });
  EXPECT_EQ(firsts(), Ids({2}));
}

TEST_F(ContendersTest, AKeyThatGotItsFirstLaneStandsForItselfFromThenOn) {
  waiting({.key = {.id = kKey}});
  waiting({.key = {.id = kOther}});
  EXPECT_EQ(firsts(), Ids({1}));
  contenders_.renew([](const Contender& one) { return one.generation->arrival() == 2; },
                    [](Generation& g) { return Contender(g, {.key = {.id = kOther, .lanes = 2}}); });
  EXPECT_EQ(firsts(), Ids({1, 2}));
}

TEST_F(ContendersTest, WhoMayNotHaveALaneAnyMoreIsNoneOfThem) {
  for (int i = 0; i < 4; ++i) waiting({});
  contenders_.renew([](const Contender&) { return true; },
                    [](Generation& g) {
                      return g.arrival() % 2 == 1 ? std::nullopt
                                                  : std::optional(Contender(g, {.arrival = g.arrival()}));
                    });
  EXPECT_EQ(firsts(), Ids({2}));
  contenders_.remove(generations_[1]);
  EXPECT_EQ(firsts(), Ids({4}));
}

TEST_F(ContendersTest, TheRankMayBeAnotherThanBesideHolders) {
  waiting({});
  Generation& g = waiting({});
  contenders_.renew([&](const Contender& one) { return one.generation == &g; },
                    [](Generation& one) {
                      Contender c(one, {.service = 600, .arrival = 2});
                      c.rank = {};
                      return c;
                    });
  EXPECT_EQ(firsts(), Ids({2}));
}

}  // namespace
}  // namespace sluice::engine
