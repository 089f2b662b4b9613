// The sampler against its naive reference: equal tokens for random rows and parameters, and draws that follow the
// probabilities. The seeds are fixed, so each run sees the same cases.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "engine/sampler.h"
#include "engine/sampler_reference.h"

namespace sluice::engine {
namespace {

using Input = ReferenceSampler::Input;

class Cases {
 public:
  explicit Cases(uint64_t seed) : random_(seed) {}

  size_t below(size_t n) { return random_() % n; }
  bool one_in(size_t n) { return below(n) == 0; }
  float between(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }

  std::vector<float> row() {
    std::vector<float> logits(one_in(4) ? 1 + below(8) : 1 + below(1500));
    const float spread = std::exp(between(-3, 4));
    const bool ties = one_in(3);
    std::normal_distribution<float> normal(between(-5, 5), spread);
    for (float& logit : logits) logit = ties ? std::round(normal(random_)) : normal(random_);
    if (one_in(4)) spoil(logits);
    return logits;
  }

  Input input(size_t vocabulary) {
    Input input;
    SamplingParams& params = input.params;
    params.temperature = one_in(6) ? 0 : std::exp(between(-3, 2));
    params.top_k = one_in(2) ? 0 : static_cast<uint32_t>(below(100));
    params.top_p = one_in(2) ? 1 : between(0, 1);
    params.min_p = one_in(2) ? 0 : between(0, 1) * between(0, 1);
    if (one_in(3)) params.repeat_penalty = between(0.5f, 2);
    if (one_in(3)) params.presence_penalty = between(-2, 2);
    if (one_in(3)) params.frequency_penalty = between(-2, 2);
    params.repeat_last_n = static_cast<uint32_t>(below(30));
    for (Token token = 0; token < static_cast<Token>(vocabulary) && one_in(2);
         token += 1 + static_cast<Token>(below(40))) {
      params.logit_bias.emplace_back(token, between(-100, 100));
    }
    for (size_t n = below(60); n > 0; --n) input.known.push_back(static_cast<Token>(below(vocabulary)));
    input.prompt_tokens = static_cast<uint32_t>(below(input.known.size() + 1));
    if (one_in(4) && vocabulary > 2) input.forbidden = {static_cast<Token>(below(vocabulary)), 1};
    return input;
  }

  DrawKey key() { return {random_(), static_cast<uint32_t>(below(16)), static_cast<uint32_t>(below(4096))}; }

 private:
  void spoil(std::vector<float>& logits) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const float values[] = {std::nanf(""), -kInfinity, -kInfinity, kInfinity, 1e30f, -1e30f, 0.f, -0.f};
    const size_t kinds = 1 + below(std::size(values));
    for (size_t n = below(logits.size() * 2); n > 0; --n) logits[below(logits.size())] = values[below(kinds)];
  }

  std::mt19937_64 random_;
};

// Whether `token` is what the reference draws; where rounding may decide, its neighbours are too.
void expect_drawn(const ReferenceDistribution& reference, double draw, Token token, int round) {
  double mass = 0;
  std::vector<Token> allowed;
  for (const ReferenceToken& candidate : reference.tokens) {
    const double before = mass - 2e-6;
    mass += candidate.probability;
    if (before <= draw && draw < mass + 2e-6) allowed.push_back(candidate.token);
  }
  EXPECT_TRUE(std::ranges::find(allowed, token) != allowed.end()) << "round " << round << ": drew " << token;
}

TEST(SamplerProperty, DrawsWhatTheReferenceDraws) {
  Cases cases(20240612);
  int compared = 0;
  for (int round = 0; round < 6000; ++round) {
    const std::vector<float> row = cases.row();
    const Input input = cases.input(row.size());
    const DrawKey key = cases.key();
    Sampler sampler(static_cast<uint32_t>(row.size()));
    const auto choice = sampler.sample(row, input.params, input.known, input.prompt_tokens, input.forbidden, key);
    const ReferenceDistribution reference = ReferenceSampler(input).distribution(row);
    if (reference.doubtful || reference.tokens.empty()) continue;
    ASSERT_TRUE(choice) << "round " << round;
    ++compared;
    if (input.params.temperature == 0) {
      EXPECT_EQ(choice->token, reference.tokens[0].token) << "round " << round;
    } else {
      expect_drawn(reference, uniform_draw(key), choice->token, round);
    }
  }
  EXPECT_GT(compared, 5400);
}

TEST(SamplerProperty, ASamplerThatIsReusedDrawsTheSame) {
  Cases cases(5);
  const size_t vocabulary = 700;
  Sampler reused(vocabulary);
  for (int round = 0; round < 2000; ++round) {
    std::vector<float> row = cases.row();
    row.resize(vocabulary, -1);
    const Input input = cases.input(vocabulary);
    const DrawKey key = cases.key();
    Sampler fresh(vocabulary);
    EXPECT_EQ(reused.sample(row, input.params, input.known, input.prompt_tokens, input.forbidden, key)->token,
              fresh.sample(row, input.params, input.known, input.prompt_tokens, input.forbidden, key)->token);
  }
}

// Draws by position, as a generation does; tokens expected less than 10 times are counted together.
double excess_chi_square(const std::vector<float>& row, const Input& input) {
  constexpr int kDraws = 20000;
  std::vector<double> counts(row.size());
  Sampler sampler(static_cast<uint32_t>(row.size()));
  for (uint32_t position = 0; position < kDraws; ++position) {
    ++counts[sampler.sample(row, input.params, input.known, input.prompt_tokens, input.forbidden, {77, 2, position})
                 ->token];
  }
  double chi_square = 0, rare_expected = 0, rare_seen = kDraws;
  int bins = 0;
  for (const ReferenceToken& candidate : ReferenceSampler(input).distribution(row).tokens) {
    const double expected = candidate.probability * kDraws;
    if (expected < 10) {
      rare_expected += expected;
      continue;
    }
    rare_seen -= counts[candidate.token];
    chi_square += (counts[candidate.token] - expected) * (counts[candidate.token] - expected) / expected;
    ++bins;
  }
  EXPECT_NEAR(rare_seen, rare_expected, 5 * std::sqrt(rare_expected) + 1e-3);
  const double freedom = std::max(bins - 1, 1);
  return (chi_square - freedom) / std::sqrt(2 * freedom);
}

TEST(SamplerProperty, DrawsFollowTheProbabilities) {
  Cases cases(9);
  std::vector<float> row(150);
  for (float& logit : row) logit = cases.between(-4, 2);
  Input input;
  for (const uint32_t top_k : {0u, 20u}) {
    for (const float top_p : {0.8f, 1.f}) {
      for (const float temperature : {0.5f, 1.f, 2.5f}) {
        input.params.top_k = top_k;
        input.params.top_p = top_p;
        input.params.min_p = 0;
        input.params.temperature = temperature;
        EXPECT_LT(excess_chi_square(row, input), 5) << top_k << ' ' << top_p << ' ' << temperature;
      }
    }
  }
}

TEST(SamplerProperty, LogprobsAreTheLogSoftmaxOfTheRow) {
  Cases cases(31);
  for (int round = 0; round < 1000; ++round) {
    const std::vector<float> row = cases.row();
    Input plain;
    plain.params = {.temperature = 1, .top_p = 1, .min_p = 0, .top_k = 0, .logit_bias = {}, .top_logprobs = 10};
    const auto reference = ReferenceSampler(plain).distribution(row).tokens;
    Sampler sampler(static_cast<uint32_t>(row.size()));
    const auto choice = sampler.sample(row, plain.params, {}, 0, {}, cases.key());
    ASSERT_EQ(choice.has_value(), !reference.empty());
    if (!choice) continue;
    ASSERT_EQ(choice->top.size(), std::min<size_t>(10, reference.size()));
    for (size_t i = 0; i < choice->top.size(); ++i) {
      EXPECT_EQ(choice->top[i].token, reference[i].token);
      const double expected = std::log(reference[i].probability);
      if (expected < -700) continue;  // the reference's probability is no normal number
      EXPECT_NEAR(choice->top[i].logprob, expected, 2e-6 * (1 + std::abs(expected)));
    }
  }
}

}  // namespace
}  // namespace sluice::engine
