#include "engine/sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

namespace sluice::engine {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// Every part switched off.
SamplingParams plain(float temperature = 1) {
  SamplingParams params;
  params.temperature = temperature;
  params.top_k = 0;
  params.top_p = 1;
  params.min_p = 0;
  return params;
}

struct Given {
  std::vector<Token> known = {};
  uint32_t prompt_tokens = 0;
  std::vector<Token> forbidden = {};
};

Choice sample(const std::vector<float>& row, const SamplingParams& params, const Given& given = {}, DrawKey key = {}) {
  Sampler sampler(static_cast<uint32_t>(row.size()));
  return sampler.sample(row, params, given.known, given.prompt_tokens, given.forbidden, key).value();
}

// Which tokens are drawn at all, in 2000 draws.
std::map<Token, int> drawn(const std::vector<float>& row, const SamplingParams& params, const Given& given = {}) {
  Sampler sampler(static_cast<uint32_t>(row.size()));
  std::map<Token, int> counts;
  for (uint32_t position = 0; position < 2000; ++position) {
    ++counts[sampler.sample(row, params, given.known, given.prompt_tokens, given.forbidden, {1, 0, position})->token];
  }
  return counts;
}

std::vector<Token> tokens_of(const std::map<Token, int>& counts) {
  std::vector<Token> tokens;
  for (const auto& [token, count] : counts) tokens.push_back(token);
  return tokens;
}

using Tokens = std::vector<Token>;

TEST(Sampler, GreedyIsTheArgmaxAndTheLowestIdOnATie) {
  EXPECT_EQ(sample({1, 5, 3}, plain(0)).token, 1);
  EXPECT_EQ(sample({1, 5, 3, 5}, plain(0)).token, 1);
  EXPECT_EQ(sample(std::vector<float>(500, 1.f), plain(0)).token, 0);
}

TEST(Sampler, GreedyIgnoresTheCuts) {
  SamplingParams params = plain(0);
  params.top_p = 0;
  params.min_p = 1;
  params.top_k = 1;
  EXPECT_EQ(sample({1, 5, 3}, params).token, 1);
}

TEST(Sampler, AVocabularyOfOneHasOneAnswer) {
  for (const float temperature : {0.f, 1.f}) EXPECT_EQ(sample({-3}, plain(temperature)).token, 0);
}

TEST(Sampler, TopKOneIsTheArgmax) {
  SamplingParams params = plain(100);
  params.top_k = 1;
  EXPECT_EQ(tokens_of(drawn({1, 2, 2, 0}, params)), Tokens{1});
}

TEST(Sampler, TopKKeepsTheFirstOnATie) {
  SamplingParams params = plain(100);
  params.top_k = 3;
  EXPECT_EQ(tokens_of(drawn({1, 2, 1, 1, 1}, params)), (Tokens{0, 1, 2}));
  params.top_k = 5;
  EXPECT_EQ(drawn({1, 2, 1, 1, 1}, params).size(), 5u);
  params.top_k = 4000000000u;
  EXPECT_EQ(drawn({1, 2, 1, 1, 1}, params).size(), 5u);
}

TEST(Sampler, TopPKeepsTheFewestThatReachItAndAtLeastOne) {
  const std::vector<float> row = {std::log(0.5f), std::log(0.3f), std::log(0.15f), std::log(0.05f)};
  SamplingParams params = plain();
  for (const auto& [top_p, kept] : std::map<float, size_t>{{0.f, 1}, {0.4f, 1}, {0.6f, 2}, {0.9f, 3}, {0.97f, 4}}) {
    params.top_p = top_p;
    params.top_k = 0;
    EXPECT_EQ(drawn(row, params).size(), kept) << "top_p " << top_p;
    params.top_k = 4;
    EXPECT_EQ(drawn(row, params).size(), kept) << "top_p " << top_p << " after top_k";
  }
}

TEST(Sampler, TopPIsTakenOfWhatTopKLeft) {
  SamplingParams params = plain();
  params.top_k = 2;
  params.top_p = 0.55f;  // 0.5 of all, but 0.625 of the two
  EXPECT_EQ(tokens_of(drawn({std::log(0.5f), std::log(0.3f), std::log(0.2f)}, params)), Tokens{0});
}

TEST(Sampler, MinPIsRelativeToTheMostProbable) {
  const std::vector<float> row = {std::log(0.5f), std::log(0.3f), std::log(0.15f), std::log(0.05f)};
  SamplingParams params = plain();
  for (const auto& [min_p, kept] : std::map<float, size_t>{{0.01f, 4}, {0.2f, 3}, {0.5f, 2}, {0.7f, 1}, {1.f, 1}}) {
    params.min_p = min_p;
    params.top_k = 0;
    EXPECT_EQ(drawn(row, params).size(), kept) << "min_p " << min_p;
    params.top_k = 4;
    EXPECT_EQ(drawn(row, params).size(), kept) << "min_p " << min_p << " after top_k";
  }
  params.min_p = 1;
  for (const uint32_t top_k : {0u, 3u}) {
    params.top_k = top_k;
    EXPECT_EQ(tokens_of(drawn({1, 3, 3}, params)), (Tokens{1, 2})) << "top_k " << top_k;
  }
}

TEST(Sampler, TemperatureComesAfterTheCuts) {
  SamplingParams params = plain(50);  // would make all alike
  params.top_p = 0.6f;
  EXPECT_EQ(tokens_of(drawn({std::log(0.5f), std::log(0.3f), std::log(0.15f), std::log(0.05f)}, params)),
            (Tokens{0, 1}));
}

TEST(Sampler, AHighTemperatureEvensOutAndALowOneSharpens) {
  EXPECT_GT(drawn({0, 3}, plain(1000))[0], 900);
  EXPECT_EQ(drawn({0, 3}, plain(0.01f)).count(0), 0u);
  EXPECT_EQ(drawn({0, 3}, plain(std::numeric_limits<float>::denorm_min())).count(0), 0u);
}

TEST(Sampler, BiasBansAndForces) {
  SamplingParams params = plain();
  params.logit_bias = {{1, -100}};
  EXPECT_EQ(tokens_of(drawn({0, 5, 0}, params)), (Tokens{0, 2}));
  params.logit_bias = {{2, 100}};
  EXPECT_EQ(tokens_of(drawn({0, 5, 0}, params)), Tokens{2});
  params.logit_bias = {{1, -kInfinity}};
  params.temperature = 0;
  EXPECT_EQ(sample({0, 5, 1}, params).token, 2);
}

TEST(Sampler, ABiasOnATokenThatDoesNotExistChangesNothing) {
  SamplingParams params = plain(0);
  params.logit_bias = {{-1, 100}, {3, 100}, {1000000, 100}};
  EXPECT_EQ(sample({0, 5, 0}, params).token, 1);
}

TEST(Sampler, TheRepeatPenaltyDividesPositiveAndMultipliesNegativeLogits) {
  SamplingParams params = plain(0);
  params.repeat_penalty = 2;
  EXPECT_EQ(sample({3, 2}, params, {{0}, 1}).token, 1);
  EXPECT_EQ(sample({-1, -1.5f}, params, {{0}, 1}).token, 1);
  EXPECT_EQ(sample({5, 2}, params, {{0}, 1}).token, 0);
}

TEST(Sampler, TheRepeatPenaltyCoversPromptAndAnswerOfTheLastN) {
  SamplingParams params = plain(0);
  params.repeat_penalty = 2;
  params.repeat_last_n = 2;
  EXPECT_EQ(sample({3, 2, 1}, params, {{0, 2, 2}, 1}).token, 0);  // 0 is too long ago
  EXPECT_EQ(sample({3, 2, 1}, params, {{0, 2}, 2}).token, 1);     // in the prompt
  EXPECT_EQ(sample({3, 2, 1}, params, {{2, 0}, 1}).token, 1);     // in the answer
  params.repeat_last_n = 0;
  EXPECT_EQ(sample({3, 2, 1}, params, {{0, 0}, 1}).token, 0);
}

TEST(Sampler, ARepeatedTokenIsPenalizedOnce) {
  SamplingParams params = plain(0);
  params.repeat_penalty = 1.4f;
  EXPECT_EQ(sample({3, 2}, params, {{0, 0, 0}, 0}).token, 0);
}

TEST(Sampler, PresenceCountsOnceAndOnlyTheAnswer) {
  SamplingParams params = plain(0);
  params.presence_penalty = 1.5f;
  EXPECT_EQ(sample({3, 2}, params, {{0, 0}, 2}).token, 0);  // all of it prompt
  EXPECT_EQ(sample({3, 2}, params, {{1, 0}, 1}).token, 1);
  EXPECT_EQ(sample({4, 2}, params, {{0, 0, 0}, 0}).token, 0);
}

TEST(Sampler, FrequencyCountsEachTime) {
  SamplingParams params = plain(0);
  params.frequency_penalty = 0.4f;
  EXPECT_EQ(sample({3, 2}, params, {{0, 0}, 0}).token, 0);
  EXPECT_EQ(sample({3, 2}, params, {{0, 0, 0}, 0}).token, 1);
  EXPECT_EQ(sample({3, 2}, params, {{0, 0, 0}, 1}).token, 0);
  params.frequency_penalty = -1;  // encourages
  EXPECT_EQ(sample({3, 2}, params, {{1, 1}, 0}).token, 1);
}

TEST(Sampler, ForbiddenTokensAreNeverChosen) {
  EXPECT_EQ(sample({9, 5, 7}, plain(0), {{}, 0, {0}}).token, 2);
  EXPECT_EQ(sample({9, 5, 7}, plain(0), {{}, 0, {0, 2}}).token, 1);
  EXPECT_EQ(tokens_of(drawn({kInfinity, 5, 7}, plain(), {{}, 0, {0}})), (Tokens{1, 2}));
  SamplingParams biased = plain();
  biased.logit_bias = {{0, 100}};
  EXPECT_EQ(tokens_of(drawn({0, 0, 0}, biased, {{}, 0, {0}})), (Tokens{1, 2}));
}

TEST(Sampler, WithoutAPossibleTokenInTheRowThereIsNoChoice) {
  for (const std::vector<float>& row : {std::vector<float>(70, kNaN), {-kInfinity, kNaN, -kInfinity}, {kNaN}}) {
    for (SamplingParams params : {plain(0), plain(1)}) {
      Sampler sampler(static_cast<uint32_t>(row.size()));
      EXPECT_FALSE(sampler.sample(row, params, {}, 0, {}, {}));
      params.logit_bias = {{0, 100}};
      params.top_logprobs = 2;
      EXPECT_FALSE(sampler.sample(row, params, {}, 0, {}, {}));
    }
  }
}

TEST(Sampler, WhereTheRequestLeavesNothingPossibleTheFirstTokenThatIsNotForbiddenIsChosen) {
  for (const float temperature : {0.f, 1.f}) {
    SamplingParams banned = plain(temperature);
    banned.logit_bias = {{0, -kInfinity}, {1, -kInfinity}, {2, -kInfinity}};
    EXPECT_EQ(sample({5, 6, 7}, banned).token, 0);
    EXPECT_EQ(sample({5, 6, 7}, banned, {{}, 0, {0}}).token, 1);
    EXPECT_EQ(sample({5, -kInfinity, kNaN}, plain(temperature), {{}, 0, {0, 1}}).token, 2);
  }
}

TEST(Sampler, NaNCountsAsImpossible) {
  EXPECT_EQ(sample({kNaN, 1, kNaN}, plain(0)).token, 1);
  EXPECT_EQ(tokens_of(drawn({kNaN, 1, kNaN, 0}, plain())), (Tokens{1, 3}));
  SamplingParams params = plain(0);
  params.logit_bias = {{0, 100}};
  EXPECT_EQ(sample({kNaN, 1}, params).token, 1);
}

TEST(Sampler, PlusInfinityTakesEverything) {
  EXPECT_EQ(sample({1, kInfinity, 3}, plain(0)).token, 1);
  for (const uint32_t top_k : {0u, 2u, 3u}) {
    SamplingParams params = plain();
    params.top_k = top_k;
    EXPECT_EQ(tokens_of(drawn({1, kInfinity, 3, kInfinity}, params)), (Tokens{1, 3})) << "top_k " << top_k;
  }
}

TEST(Sampler, AChoiceDependsOnItsKeyAlone) {
  const std::vector<float> row(100, 0.f);
  Sampler used(100);
  for (uint32_t position = 0; position < 50; ++position) used.sample(row, plain(), {}, 0, {}, {3, 1, position});
  for (uint32_t position = 50; position-- > 0;) {
    const DrawKey key{3, 1, position};
    EXPECT_EQ(used.sample(row, plain(), {}, 0, {}, key)->token, sample(row, plain(), {}, key).token);
  }
}

TEST(Sampler, ARowLeavesNothingBehindForTheNext) {
  Sampler sampler(3);
  SamplingParams params = plain(0);
  params.logit_bias = {{1, 100}};
  params.presence_penalty = 50;
  const std::vector<float> row = {1, 0, 2};
  const Tokens known = {2};
  const Tokens forbidden = {0};
  EXPECT_EQ(sampler.sample(row, params, known, 0, forbidden, {})->token, 1);
  EXPECT_EQ(sampler.sample(row, plain(0), {}, 0, {}, {})->token, 2);
  const std::vector<float> other = {3, 0, 2};
  EXPECT_EQ(sampler.sample(other, plain(0), {}, 0, {}, {})->token, 0);
}

}  // namespace
}  // namespace sluice::engine
