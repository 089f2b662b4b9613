#include "engine/forecast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice::engine {
namespace {

using testing::ElementsAre;

TEST(Forecast, WhoeverIsAheadTakesAsMuchAsTheNewcomerAtMost) {
  EXPECT_EQ(rows_before_first_token(100, {}), 100u);
  const std::vector<Ahead> ahead = {{.rows = 50}, {.rows = 100}, {.rows = 4000}};
  EXPECT_EQ(rows_before_first_token(100, ahead), 350u);
}

TEST(Forecast, AnotherKeyOrSessionTakesOneTurnAsAWhole) {
  const std::vector<Ahead> ahead = {{.rows = 60, .turn = {2, 0}},
                                    {.rows = 60, .turn = {2, 0}},
                                    {.rows = 60, .turn = {3, 0}},
                                    {.rows = 60, .turn = {0, 7}},
                                    {.rows = 60}};
  EXPECT_EQ(rows_before_first_token(100, ahead), 100u + 60 + 60 + 60 + 100);
}

TEST(Forecast, ALaneIsFreeWhenAllButOneForEachOtherLaneAreSetBack) {
  const std::vector<Ahead> ahead = {{.rows = 50}, {.rows = 4000}, {.rows = 600, .service = 500}};
  EXPECT_EQ(rows_before_lane(1, ahead), 50u + 512 + 12);
  EXPECT_EQ(rows_before_lane(2, ahead), 50u + 12);
  EXPECT_EQ(rows_before_lane(3, ahead), 12u);
  EXPECT_EQ(rows_before_lane(4, ahead), 0u);
  EXPECT_EQ(rows_before_lane(1, {}), 0u);
}

TEST(Forecast, AnotherKeyIsSetBackAsAWhole) {
  const std::vector<Ahead> ahead(9, {.rows = 100, .turn = {2, 0}});
  EXPECT_EQ(rows_before_lane(1, ahead), 256u);
  EXPECT_EQ(rows_before_lane(2, ahead), 0u);
}

TEST(Forecast, TextsShareWhatAnotherOneBeginsWith) {
  const std::vector<Token> a = {1, 2, 3, 4}, b = {1, 2, 9}, c = {7}, d = {1, 2, 3, 4, 5}, none;
  const std::vector<std::span<const Token>> texts = {a, b, c, d, none};
  EXPECT_THAT(shared_with_another(texts), ElementsAre(4, 2, 0, 4, 0));
  EXPECT_THAT(shared_with_another(std::span(texts).first(1)), ElementsAre(0));
}

}  // namespace
}  // namespace sluice::engine
