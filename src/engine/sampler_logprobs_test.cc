#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/sampler.h"

namespace sluice::engine {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

SamplingParams asking_for(uint32_t top) {
  SamplingParams params;
  params.temperature = 0;
  params.top_logprobs = top;
  return params;
}

Choice sample(const std::vector<float>& row, const SamplingParams& params, std::vector<Token> forbidden = {}) {
  return Sampler(static_cast<uint32_t>(row.size())).sample(row, params, {}, 0, forbidden, {}).value();
}

TEST(Logprobs, AreAbsentWhereNotAskedFor) {
  SamplingParams params = asking_for(0);
  params.top_logprobs.reset();
  const Choice choice = sample({1, 2, 3}, params);
  EXPECT_EQ(choice.logprob, 0);
  EXPECT_TRUE(choice.top.empty());
}

TEST(Logprobs, OfTheChosenTokenAloneWhereZeroAreAskedFor) {
  const Choice choice = sample({std::log(0.2f), std::log(0.5f), std::log(0.3f)}, asking_for(0));
  EXPECT_EQ(choice.token, 1);
  EXPECT_NEAR(choice.logprob, std::log(0.5), 1e-6);
  EXPECT_TRUE(choice.top.empty());
}

TEST(Logprobs, TopIsSortedAndTheLowerIdComesFirstOnATie) {
  const Choice choice = sample({0, 1, 2, 1}, asking_for(3));
  ASSERT_EQ(choice.top.size(), 3u);
  EXPECT_EQ(choice.top[0].token, 2);
  EXPECT_EQ(choice.top[1].token, 1);
  EXPECT_EQ(choice.top[2].token, 3);
  const double total = std::exp(0.) + 2 * std::exp(1.) + std::exp(2.);
  EXPECT_NEAR(choice.top[0].logprob, 2 - std::log(total), 1e-6);
  EXPECT_NEAR(choice.top[2].logprob, 1 - std::log(total), 1e-6);
  EXPECT_EQ(choice.logprob, choice.top[0].logprob);
}

TEST(Logprobs, AreOfTheRowAsItCame) {
  SamplingParams params = asking_for(2);
  params.temperature = 0.1f;
  params.top_k = 1;
  params.logit_bias = {{0, 100}};
  params.repeat_penalty = 3;
  const Choice choice = sample({std::log(0.2f), std::log(0.5f), std::log(0.3f)}, params);
  EXPECT_EQ(choice.token, 0);
  EXPECT_NEAR(choice.logprob, std::log(0.2), 1e-6);
  EXPECT_EQ(choice.top[0].token, 1);
  EXPECT_NEAR(choice.top[0].logprob, std::log(0.5), 1e-6);
}

TEST(Logprobs, AreFewerThanAskedForWhereFewerTokensArePossible) {
  const Choice choice = sample({1, -kInfinity, 3}, asking_for(20));
  EXPECT_EQ(choice.top.size(), 2u);
}

TEST(Logprobs, OfAnImpossibleTokenAreMinusInfinity) {
  EXPECT_EQ(sample({1, -kInfinity}, asking_for(1), {0}).logprob, -kInfinity);
  EXPECT_EQ(sample({1, std::numeric_limits<float>::quiet_NaN()}, asking_for(1), {0}).logprob, -kInfinity);
}

TEST(Logprobs, InfiniteLogitsShareTheProbability) {
  const Choice choice = sample({kInfinity, 1, kInfinity}, asking_for(3));
  EXPECT_NEAR(choice.logprob, std::log(0.5), 1e-6);
  EXPECT_NEAR(choice.top[1].logprob, std::log(0.5), 1e-6);
  EXPECT_EQ(choice.top[2].logprob, -kInfinity);
}

}  // namespace
}  // namespace sluice::engine
