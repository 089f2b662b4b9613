// The sampler as simply as it can be said, in double, sorting the whole vocabulary. For tests: gives the distribution
// that a draw follows. Refuses to be fast. Thread: any.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "core/core.h"

namespace sluice::engine {

struct ReferenceToken {
  Token token = 0;
  double logit = 0;
  double probability = 0;
};

struct ReferenceDistribution {
  std::vector<ReferenceToken> tokens;  // in the order of the draw
  // A cut fell so near its bound that rounding may decide it.
  bool doubtful = false;
};

class ReferenceSampler {
 public:
  // All of one call of Sampler::sample but the logits.
  struct Input {
    SamplingParams params;
    std::vector<Token> known;
    uint32_t prompt_tokens = 0;
    std::vector<Token> forbidden;
  };

  explicit ReferenceSampler(const Input& input) : input_(input) {}

  std::vector<float> edited(std::span<const float> row) const {
    std::vector<float> logits(row.begin(), row.end());
    for (float& logit : logits) logit = not_nan(logit);
    for (const auto& [token, bias] : input_.params.logit_bias) logits[token] = not_nan(logits[token] + bias);
    const std::map<Token, uint32_t> recent = count(input_.known.size() - recent_tokens());
    const std::map<Token, uint32_t> answer = count(input_.prompt_tokens);
    if (input_.params.repeat_penalty != 1) {
      for (const auto& [token, times] : recent) penalize_repeat(logits[token]);
    }
    for (const auto& [token, times] : answer) penalize_answer(logits[token], times);
    for (const Token token : input_.forbidden) logits[token] = -kInfinity;
    return logits;
  }

  ReferenceDistribution distribution(std::span<const float> row) const {
    ReferenceDistribution result;
    const std::vector<float> logits = edited(row);
    for (Token token = 0; token < static_cast<Token>(logits.size()); ++token) {
      if (logits[token] > -kInfinity) result.tokens.push_back({token, logits[token], 0});
    }
    std::ranges::stable_sort(result.tokens, std::greater<>(), &ReferenceToken::logit);
    const SamplingParams& params = input_.params;
    if (params.temperature == 0) result.tokens.resize(std::min<size_t>(result.tokens.size(), 1));
    if (params.top_k != 0) result.tokens.resize(std::min<size_t>(result.tokens.size(), params.top_k));
    if (params.top_p < 1) cut_top_p(result);
    cut_min_p(result);
    softmax(result.tokens, params.temperature == 0 ? 1 : params.temperature);
    return result;
  }

  static void softmax(std::vector<ReferenceToken>& tokens, double temperature) {
    double total = 0;
    for (ReferenceToken& token : tokens) {
      const bool is_first = token.logit == tokens[0].logit;  // infinity minus infinity is no number
      token.probability = is_first ? 1 : std::exp((token.logit - tokens[0].logit) / temperature);
      total += token.probability;
    }
    for (ReferenceToken& token : tokens) token.probability /= total;
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr double kDoubt = 2e-6;

  static float not_nan(float logit) { return std::isnan(logit) ? -std::numeric_limits<float>::infinity() : logit; }

  size_t recent_tokens() const { return std::min<size_t>(input_.params.repeat_last_n, input_.known.size()); }

  // How often each token is among those known from `first` on.
  std::map<Token, uint32_t> count(size_t first) const {
    std::map<Token, uint32_t> counts;
    for (size_t i = first; i < input_.known.size(); ++i) ++counts[input_.known[i]];
    return counts;
  }

  void penalize_repeat(float& logit) const {
    const float penalty = input_.params.repeat_penalty;
    logit = logit > 0 ? logit / penalty : logit * penalty;
  }

  void penalize_answer(float& logit, uint32_t times) const {
    const SamplingParams& params = input_.params;
    logit = not_nan(logit - (static_cast<float>(times) * params.frequency_penalty + params.presence_penalty));
  }

  void cut_top_p(ReferenceDistribution& result) const {
    softmax(result.tokens, 1);
    double mass = 0;
    for (size_t i = 0; i < result.tokens.size(); ++i) {
      mass += result.tokens[i].probability;
      result.doubtful |= std::abs(mass - input_.params.top_p) < kDoubt;
      if (mass >= input_.params.top_p) return result.tokens.resize(i + 1);
    }
  }

  void cut_min_p(ReferenceDistribution& result) const {
    softmax(result.tokens, 1);
    std::erase_if(result.tokens, [&, highest = result.tokens.empty() ? 0 : result.tokens[0].probability](auto& token) {
      const double relative = token.probability / highest;
      result.doubtful |= input_.params.min_p > 0 && relative != 1 && std::abs(relative - input_.params.min_p) < kDoubt;
      return relative < input_.params.min_p;
    });
  }

  const Input& input_;
};

}  // namespace sluice::engine
