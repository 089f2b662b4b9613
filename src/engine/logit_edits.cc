#include "engine/logit_edits.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace sluice::engine {
namespace {

constexpr int32_t kUntouched = -1;
constexpr float kImpossible = -std::numeric_limits<float>::infinity();

float not_nan(float logit) { return std::isnan(logit) ? kImpossible : logit; }

}  // namespace

LogitEdits::LogitEdits(uint32_t vocabulary)
    : index_of_(vocabulary, kUntouched), touched_((vocabulary + kBlockTokens - 1) / kBlockTokens) {}

void LogitEdits::apply(std::span<const float> raw, const SamplingParams& params, std::span<const Token> known,
                       uint32_t prompt_tokens, std::span<const Token> forbidden) {
  CHECK(raw.size() == index_of_.size());
  CHECK(prompt_tokens <= known.size());
  clear();
  add_bias(raw, params);
  count_tokens(raw, params, known, prompt_tokens);
  penalize(params);
  for (const Token token : forbidden) at(token, raw).logit = kImpossible;
}

void LogitEdits::patch(uint32_t block, std::span<float> values) const {
  for (uint64_t bits = touched_[block]; bits != 0; bits &= bits - 1) {
    const auto within = static_cast<uint32_t>(std::countr_zero(bits));
    values[within] = edits_[index_of_[block * kBlockTokens + within]].logit;
  }
}

void LogitEdits::clear() {
  for (const Edit& edit : edits_) {
    index_of_[edit.token] = kUntouched;
    touched_[edit.token / kBlockTokens] = 0;
  }
  edits_.clear();
}

LogitEdits::Edit& LogitEdits::at(Token token, std::span<const float> raw) {
  CHECK(token >= 0 && static_cast<size_t>(token) < index_of_.size());
  int32_t& index = index_of_[token];
  if (index == kUntouched) {
    index = static_cast<int32_t>(edits_.size());
    touched_[token / kBlockTokens] |= uint64_t{1} << (token % kBlockTokens);
    edits_.push_back({token, not_nan(raw[token]), 0, false});
  }
  return edits_[index];
}

// A bias on a token that the vocabulary does not have changes nothing: it cannot be drawn.
void LogitEdits::add_bias(std::span<const float> raw, const SamplingParams& params) {
  for (const auto& [token, bias] : params.logit_bias) {
    if (token < 0 || static_cast<size_t>(token) >= raw.size()) continue;
    Edit& edit = at(token, raw);
    edit.logit = not_nan(edit.logit + bias);
  }
}

void LogitEdits::count_tokens(std::span<const float> raw, const SamplingParams& params, std::span<const Token> known,
                              uint32_t prompt_tokens) {
  if (params.repeat_penalty != 1) {
    const size_t recent = std::min<size_t>(params.repeat_last_n, known.size());
    for (const Token token : known.last(recent)) at(token, raw).recent = true;
  }
  if (params.presence_penalty != 0 || params.frequency_penalty != 0) {
    for (const Token token : known.subspan(prompt_tokens)) ++at(token, raw).in_answer;
  }
}

void LogitEdits::penalize(const SamplingParams& params) {
  for (Edit& edit : edits_) {
    // Divided where positive, multiplied where not: either way the token becomes less likely for a penalty over 1.
    if (edit.recent)
      edit.logit = edit.logit > 0 ? edit.logit / params.repeat_penalty : edit.logit * params.repeat_penalty;
    if (edit.in_answer == 0) continue;
    const float frequency = static_cast<float>(edit.in_answer) * params.frequency_penalty;
    edit.logit = not_nan(edit.logit - (frequency + params.presence_penalty));
  }
}

}  // namespace sluice::engine
