#include "engine/forecast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice::engine {
namespace {

using testing::ElementsAre;

constexpr uint64_t kLast = 1000;  // of all that arrived
const Claim kNewcomer{.prompt_left = 100, .arrival = kLast};

TEST(Forecast, WhoeverIsAheadTakesAsMuchAsTheNewcomerAtMost) {
  EXPECT_EQ(rows_before_first_token(100, kNewcomer, {}), 100u);
  const std::vector<Ahead> ahead = {{.rows = 50}, {.rows = 100}, {.rows = 4000}};
  EXPECT_EQ(rows_before_first_token(100, kNewcomer, ahead), 350u);
}

TEST(Forecast, WhoeverIsAheadTakesNoMoreThanPutsItBehind) {
  const std::vector<Ahead> ahead = {{.rows = 4000, .claim = {.service = 500}}};
  EXPECT_EQ(rows_before_first_token(100, kNewcomer, ahead), 12u + 100);
  EXPECT_EQ(rows_before_lane(1, kNewcomer, ahead), 12u);
}

TEST(Forecast, ABetterClassIsNeverPutBehind) {
  const std::vector<Ahead> ahead = {{.rows = 4000, .claim = {.cls = Class::interactive, .service = 500}}};
  EXPECT_EQ(rows_before_first_token(100, kNewcomer, ahead), 100u + 100);
  EXPECT_EQ(rows_before_lane(1, kNewcomer, ahead), 4000u);
}

TEST(Forecast, WhoeverIsBehindAlreadyTakesNothing) {
  const std::vector<Ahead> ahead = {{.rows = 4000, .claim = {.service = 600}},
                                    {.rows = 4000, .claim = {.prompt_left = 4000}}};
  EXPECT_EQ(rows_before_lane(1, kNewcomer, ahead), 0u);
}

// Its rest gets shorter than theirs, as it may be read beside them.
TEST(Forecast, ANewcomerPassesThoseAheadAsItsOwnPromptIsRead) {
  const Claim newcomer{.prompt_left = 600, .arrival = kLast};
  const std::vector<Ahead> ahead = {{.rows = 2000, .claim = {.prompt_left = 2000}}};
  EXPECT_EQ(rows_before_first_token(600, newcomer, ahead), 89u + 600);
  EXPECT_EQ(rows_before_lane(1, newcomer, ahead), 512u) << "where it waits it gets no shorter";
}

TEST(Forecast, AnotherKeyOrSessionTakesOneTurnAsAWhole) {
  const std::vector<Ahead> ahead = {{.rows = 60, .turn = {2, 0}, .of_same_key = false},
                                    {.rows = 60, .turn = {2, 0}, .of_same_key = false},
                                    {.rows = 60, .turn = {3, 0}, .of_same_key = false},
                                    {.rows = 60, .turn = {0, 7}},
                                    {.rows = 60}};
  Claim newcomer = kNewcomer;
  newcomer.key.lead = newcomer.session.lead = 600;
  EXPECT_EQ(rows_before_first_token(100, newcomer, ahead), 100u + 60 + 60 + 60 + 100);
}

TEST(Forecast, ALaneIsFreeWhenAllButOneForEachOtherLaneAreSetBack) {
  const std::vector<Ahead> ahead = {{.rows = 50}, {.rows = 4000}, {.rows = 600, .claim = {.service = 500}}};
  EXPECT_EQ(rows_before_lane(1, kNewcomer, ahead), 50u + 512 + 12);
  EXPECT_EQ(rows_before_lane(2, kNewcomer, ahead), 50u + 12);
  EXPECT_EQ(rows_before_lane(3, kNewcomer, ahead), 12u);
  EXPECT_EQ(rows_before_lane(4, kNewcomer, ahead), 0u);
  EXPECT_EQ(rows_before_lane(1, kNewcomer, {}), 0u);
}

std::vector<Ahead> nine_of_key_two(uint64_t lead) {
  return std::vector<Ahead>(
      9, {.rows = 100, .claim = {.key = {.lead = lead}, .prompt_left = 100}, .turn = {2, 0}, .of_same_key = false});
}

Claim newcomer_of_key_one(uint64_t lead) {
  Claim newcomer = kNewcomer;
  newcomer.key.lead = lead;
  return newcomer;
}

// An answer's tokens weigh twice as much as a prompt's, and any of a key may be answering.
TEST(Forecast, AnotherKeyIsSetBackAsAWholeAndByAnswersToo) {
  const Claim newcomer = newcomer_of_key_one(512);
  EXPECT_EQ(rows_before_lane(1, newcomer, nine_of_key_two(0)), 256u / 2);
  EXPECT_EQ(rows_before_lane(2, newcomer, nine_of_key_two(0)), 0u);
  EXPECT_EQ(rows_before_first_token(100, newcomer, nine_of_key_two(0)), 100u + 100);
}

TEST(Forecast, AKeyThatLeadsIsSetBackByWhatItLacksOfAQuantum) {
  const Claim newcomer = newcomer_of_key_one(512);
  EXPECT_EQ(rows_before_lane(1, newcomer, nine_of_key_two(250)), 6u / 2);
  EXPECT_EQ(rows_before_first_token(100, newcomer, nine_of_key_two(250)), 6u / 2 + 100);
}

TEST(Forecast, AnotherKeyThatGotAsMuchMayLeaveItALaneAtOnce) {
  EXPECT_EQ(rows_before_lane(1, kNewcomer, nine_of_key_two(0)), 0u);
  EXPECT_EQ(rows_before_first_token(100, kNewcomer, nine_of_key_two(0)), 100u);
}

// Both leads fall as the one that got least gets more: 300 and 310 may be 250 and 260 then, and 300 and 200 in one
// quantum. Beside 800 all that is sure is the second.
TEST(Forecast, ALeadCountsAsWhatItMayFallTo) {
  EXPECT_EQ(rows_before_lane(1, newcomer_of_key_one(300), nine_of_key_two(310)), 0u);
  EXPECT_EQ(rows_before_lane(1, newcomer_of_key_one(300), nine_of_key_two(200)), 0u);
  EXPECT_EQ(rows_before_lane(1, newcomer_of_key_one(800), nine_of_key_two(200)), (512u - 200) / 2);
}

TEST(Forecast, ASessionIsComparedWithinAKeyAsKeysAre) {
  Claim newcomer = kNewcomer;
  newcomer.session.lead = 600;
  std::vector<Ahead> ahead(9, {.rows = 100, .claim = {.session = {.lead = 250}, .prompt_left = 100}, .turn = {0, 7}});
  EXPECT_EQ(rows_before_lane(1, newcomer, ahead), 6u / 2);
  for (Ahead& one : ahead) one.turn = {};
  EXPECT_EQ(rows_before_lane(1, newcomer, ahead), 900u) << "who names no session, or the same";
  for (Ahead& one : ahead) one.claim.service = 510;
  EXPECT_EQ(rows_before_lane(1, newcomer, ahead), 18u) << "and the newcomer's lead may fall";
}

TEST(Forecast, TextsShareWhatAnotherOneBeginsWith) {
  const std::vector<Token> a = {1, 2, 3, 4}, b = {1, 2, 9}, c = {7}, d = {1, 2, 3, 4, 5}, none;
  const std::vector<std::span<const Token>> texts = {a, b, c, d, none};
  EXPECT_THAT(shared_with_another(texts), ElementsAre(4, 2, 0, 4, 0));
  EXPECT_THAT(shared_with_another(std::span(texts).first(1)), ElementsAre(0));
}

}  // namespace
}  // namespace sluice::engine
