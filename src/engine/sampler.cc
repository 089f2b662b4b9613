#include "engine/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "engine/logit_edits.h"
#include "engine/logit_row.h"
#include "engine/philox.h"

namespace sluice::engine {
namespace {

constexpr size_t kUsualCandidates = 32;  // how many a cut by probability alone leaves: a guess, for speed only

struct Kept {
  Candidate candidate;
  double weight = 0;  // at temperature 1
};

// top-k, then top-p of what it left, then min-p: each keeps a beginning of the sorted candidates.
void keep_top_k(LogitRow& row, const SamplingParams& params, std::vector<Kept>& kept) {
  double total = 0;
  row.descend(params.top_k, [&](const Candidate& candidate) {
    kept.push_back({candidate, row.weight(candidate.logit, 1)});
    total += kept.back().weight;
    return kept.size() < params.top_k;
  });
  const double wanted = params.top_p < 1 ? params.top_p * total : std::numeric_limits<double>::infinity();
  double mass = 0;
  size_t count = 0;
  while (count == 0 || (count < kept.size() && kept[count].weight >= params.min_p && mass < wanted)) {
    mass += kept[count++].weight;
  }
  kept.resize(count);
}

// The same where all tokens pass top-k. Their total weight takes an exponential for each, so it is asked for only where
// top-p needs it.
void keep_likely(LogitRow& row, const SamplingParams& params, std::vector<Kept>& kept) {
  const double wanted = params.top_p < 1 ? params.top_p * row.total_weight(1) : std::numeric_limits<double>::infinity();
  double mass = 0;
  row.descend(kUsualCandidates, [&](const Candidate& candidate) {
    const double weight = row.weight(candidate.logit, 1);
    if (weight < params.min_p && !kept.empty()) return false;
    kept.push_back({candidate, weight});
    mass += weight;
    return mass < wanted;
  });
}

Token draw_kept(const LogitRow& row, std::vector<Kept>& kept, float scale, double draw) {
  double total = 0;
  for (Kept& one : kept) total += one.weight = row.weight(one.candidate.logit, scale);
  const double wanted = draw * total;
  double mass = 0;
  for (const Kept& one : kept) {
    if ((mass += one.weight) > wanted) return one.candidate.token;
  }
  return kept.back().candidate.token;
}

// Without any cut: goes down only as far as the draw does.
Token draw_any(LogitRow& row, float scale, double draw) {
  const double wanted = draw * row.total_weight(scale);
  double mass = 0;
  Token last = 0;
  row.descend(kUsualCandidates, [&](const Candidate& candidate) {
    last = candidate.token;
    mass += row.weight(candidate.logit, scale);
    return mass <= wanted;
  });
  return last;
}

Token first_allowed(std::span<const Token> forbidden, size_t vocabulary) {
  for (Token token = 0; static_cast<size_t>(token) < vocabulary; ++token) {
    if (std::ranges::find(forbidden, token) == forbidden.end()) return token;
  }
  return 0;
}

void add_logprobs(LogitRow& row, float chosen_logit, uint32_t top, Choice& choice) {
  const double log_total = std::log(row.total_weight(1));
  const auto logprob = [&](float logit) {
    const double below = logit == row.highest() ? 0 : static_cast<double>(logit) - row.highest();
    return static_cast<float>(below - log_total);
  };
  choice.logprob = std::isnan(chosen_logit) ? LogitRow::kImpossible : logprob(chosen_logit);
  if (top == 0) return;
  row.descend(top, [&](const Candidate& candidate) {
    choice.top.push_back({candidate.token, logprob(candidate.logit)});
    return choice.top.size() < top;
  });
}

}  // namespace

double uniform_draw(const DrawKey& key) {
  const PhiloxKey seed{static_cast<uint32_t>(key.seed), static_cast<uint32_t>(key.seed >> 32)};
  const PhiloxCounter bits = philox4x32_10({key.position, key.choice, 0, 0}, seed);
  const uint64_t wide = bits[0] | uint64_t{bits[1]} << 32;
  return static_cast<double>(wide >> 11) * 0x1p-53;
}

bool picks_likeliest(const SamplingParams& params, std::span<const Token> forbidden) {
  const bool penalized = params.presence_penalty != 0 || params.frequency_penalty != 0 ||
                         (params.repeat_penalty != 1 && params.repeat_last_n > 0);
  return params.temperature <= 0 && params.logit_bias.empty() && !penalized && !params.top_logprobs &&
         forbidden.empty();
}

struct Sampler::Scratch {
  explicit Scratch(uint32_t vocabulary) : edits(vocabulary), row(vocabulary) {}

  bool any_possible() const { return row.highest() > LogitRow::kImpossible; }

  Token choose(const SamplingParams& params, const DrawKey& key) {
    if (params.temperature <= 0) return row.first_highest();
    const float scale = 1 / params.temperature;
    const double draw = uniform_draw(key);
    if (params.top_k == 0 && params.top_p >= 1 && params.min_p <= 0) return draw_any(row, scale, draw);
    kept.clear();
    params.top_k == 0 ? keep_likely(row, params, kept) : keep_top_k(row, params, kept);
    return draw_kept(row, kept, scale, draw);
  }

  LogitEdits edits;
  LogitRow row;
  std::vector<Kept> kept;
};

Sampler::Sampler(uint32_t vocabulary) : scratch_(std::make_unique<Scratch>(vocabulary)) {}
Sampler::~Sampler() = default;

std::optional<Choice> Sampler::sample(std::span<const float> logits, const SamplingParams& params,
                                      std::span<const Token> known, uint32_t prompt_tokens,
                                      std::span<const Token> forbidden, const DrawKey& key) {
  CHECK(!logits.empty());
  scratch_->edits.apply(logits, params, known, prompt_tokens, forbidden);
  scratch_->row.load(logits, &scratch_->edits);
  Choice choice;
  if (scratch_->any_possible()) {
    choice.token = scratch_->choose(params, key);
  } else {
    scratch_->row.load(logits, nullptr);
    if (!scratch_->any_possible()) return std::nullopt;
    choice.token = first_allowed(forbidden, logits.size());
  }
  if (params.top_logprobs) {
    scratch_->row.load(logits, nullptr);
    add_logprobs(scratch_->row, logits[choice.token], *params.top_logprobs, choice);
  }
  return choice;
}

}  // namespace sluice::engine
