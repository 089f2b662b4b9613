#include "bench/figures/streams.h"

#include <gmock/gmock.h>

#include "bench/figures/kinds.h"

namespace sluice::bench {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr TimePoint kStart{100s};

Answer stream(Duration sent, std::vector<Duration> at, Duration ended) {
  Answer answer;
  answer.sent = kStart + sent;
  answer.ended = kStart + ended;
  for (const Duration d : at) answer.pieces.push_back({kStart + d, 1});
  return answer;
}

TEST(Streams, ARateIsAllTokensOverFirstSentToLastEnd) {
  const std::vector<Answer> answers = {stream(0ms, {100ms, 200ms}, 300ms), stream(500ms, {600ms, 700ms}, 2s)};
  EXPECT_DOUBLE_EQ(tokens_per_s(answers), 2.0);
  EXPECT_DOUBLE_EQ(wall_ms(answers), 2000);
  EXPECT_EQ(tokens_per_s({}), 0);
}

TEST(Streams, TokensAreTheServersCountWhereItHasOne) {
  std::vector<Answer> answers = {stream(0ms, {100ms, 200ms}, 1s)};
  answers[0].completion_tokens = 10;
  EXPECT_DOUBLE_EQ(tokens_per_s(answers), 10);
}

TEST(Streams, AStreamsPaceLeavesItsFirstTokenOut) {
  const std::vector<Answer> answers = {stream(0ms, {5s, 5500ms, 6s}, 6s)};
  EXPECT_THAT(paces(answers), ElementsAre(2));
  EXPECT_THAT(first_ms(answers), ElementsAre(5000));
  EXPECT_THAT(gaps_ms(answers), ElementsAre(500, 500));
}

TEST(Streams, AnAnswerWithoutTextHasNoTimes) {
  const std::vector<Answer> answers = {stream(0ms, {}, 1s)};
  EXPECT_THAT(first_ms(answers), IsEmpty());
  EXPECT_EQ(tokens_per_s(answers), 0);
  Figures figures;
  add_first_token(figures, answers);
  add_gaps(figures, answers);
  EXPECT_TRUE(figures.empty());
}

TEST(Streams, ThePauseIsTheLongestGap) {
  const std::vector<Answer> answers = {stream(0ms, {1s, 2s, 5s}, 5s), stream(0ms, {1s, 2s}, 5s)};
  Figures figures;
  add_gaps(figures, answers);
  EXPECT_DOUBLE_EQ(figures.at("pause_ms_max"), 3000);
  EXPECT_DOUBLE_EQ(figures.at("gap_ms_p50"), 1000);
}

TEST(FigureKinds, SayWhichWayIsBetter) {
  EXPECT_EQ(figure_kind("tokens_per_s")->better, Better::higher);
  EXPECT_EQ(figure_kind("ttft_ms_p99")->better, Better::lower);
  EXPECT_FALSE(figure_kind("beauty"));
}

}  // namespace
}  // namespace sluice::bench
