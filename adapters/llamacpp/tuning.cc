#include "adapters/llamacpp/tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "adapters/llamacpp/tuning_trial.h"
#include "base/check.h"
#include "base/limits.h"
#include "ggml.h"
#include "gguf/memory_plan.h"
#include "runtime/tuning_score.h"

namespace sluice::llamacpp {
namespace {

constexpr uint32_t kShallowTokens = 64;
constexpr uint32_t kWarmRows = 32;
constexpr uint32_t kShallowCalls = 4, kDeepCalls = 3;
constexpr uint32_t kReserve = kShallowCalls;  // tokens of a sequence beyond its depth

struct Contender {
  Trial* trial = nullptr;
  TuningCandidate candidate;
};

// Two contexts are open at once, so each takes half of the window that is planned for, but where that is tiny.
uint32_t trial_window(uint32_t window) {
  const uint32_t most = limits::tuning_deep_tokens_max + gguf::kWindowStep;
  const uint32_t half = std::min(window / 2, most) / gguf::kWindowStep * gguf::kWindowStep;
  return std::max(half, 2 * gguf::kWindowStep);
}

ContextSettings trial_settings(const ContextSettings& settings) {
  ContextSettings trial = settings;
  trial.lanes = std::min(settings.lanes, limits::tuning_lanes_max);
  trial.window = trial_window(settings.window);
  return trial;
}

class Tuner final {
 public:
  Tuner(llama_model* model, const ContextSettings& settings, uint64_t kv_bytes_per_token, LibraryLog& log,
        TimePoint deadline)
      : model_(model),
        settings_(trial_settings(settings)),
        kv_bytes_per_token_(kv_bytes_per_token),
        log_(log),
        deadline_(deadline) {
    tuning_.choice = {settings.flash_attention, settings.threads};
    tuning_.lanes = settings_.lanes;
    tuning_.shallow_tokens = kShallowTokens;
    tuning_.deep_tokens = std::min(settings_.window - kReserve, limits::tuning_deep_tokens_max);
  }

  Tuning run() {
    auto measured = measure();
    if (!measured) tuning_.remark = measured.error().message;
    tuning_.took = Clock::now() - begun_;
    return std::move(tuning_);
  }

 private:
  Result<void> measure() {
    std::vector<Contender> contenders;
    for (const bool flash_attention : flash_attentions()) {
      auto trial = open(flash_attention);
      if (!trial && contenders.empty()) return std::unexpected(std::move(trial.error()));
      if (!trial) {  // this model or device cannot do it: nothing to choose
        tuning_.remark = trial.error().message;
        continue;
      }
      contenders.push_back({*trial, {{flash_attention, settings_.threads}, {}}});
    }
    if (auto warmed = warm_up(contenders); !warmed) return warmed;
    if (auto compared = compare(contenders); !compared) return compared;
    choose(contenders);
    return compare_threads(contenders[best_of(tuning_.candidates, tuning_)]);
  }

  std::vector<bool> flash_attentions() const {
    const bool only_on = ggml_is_quantized(static_cast<ggml_type>(settings_.type_v));
    if (only_on) return {true};
    return {settings_.flash_attention, !settings_.flash_attention};
  }

  Result<Trial*> open(bool flash_attention) {
    ContextSettings settings = settings_;
    settings.flash_attention = flash_attention;
    auto trial = Trial::open(model_, settings, kv_bytes_per_token_, log_);
    if (!trial) return std::unexpected(std::move(trial.error()));
    trials_.push_back(std::move(*trial));
    return trials_.back().get();
  }

  // Reads the weights in, and learns how many rows of a prompt can be afforded.
  Result<void> warm_up(std::span<Contender> contenders) {
    Duration longest{};
    const uint32_t rows = std::min({kWarmRows, settings_.batch, settings_.window});
    for (const Contender& contender : contenders) {
      auto time = contender.trial->time_of({.rows = rows, .calls = 2}, settings_.threads, deadline_);
      if (!time) return std::unexpected(std::move(time.error()));
      longest = std::max(longest, *time);
    }
    const auto affordable =
        static_cast<uint64_t>(limits::tuning_prompt_time_aim / std::max(longest / rows, Duration{1}));
    const uint64_t most = std::min({limits::tuning_prompt_rows_max, settings_.batch, settings_.window});
    tuning_.prompt_rows = static_cast<uint32_t>(std::clamp<uint64_t>(affordable, rows, most));
    return {};
  }

  // Each figure of all contenders in turn, so that what else the machine does meanwhile meets all of them. The first
  // round must be whole; one that would end too late does not begin.
  Result<void> compare(std::span<Contender> contenders) {
    const TimePoint begun = Clock::now();
    for (uint32_t round = 0; round < limits::tuning_rounds_max; ++round) {
      const Duration taken = Clock::now() - begun;
      if (round > 0 && taken + taken / round > limits::tuning_time_aim) break;
      auto made = make_round(contenders);
      if (!made && round == 0) return made;
    }
    return {};
  }

  Result<void> make_round(std::span<Contender> contenders) {
    const uint32_t lanes = tuning_.lanes, shallow = tuning_.shallow_tokens, deep = tuning_.deep_tokens;
    const std::pair<Duration TuningFigures::*, Work> works[] = {
        {&TuningFigures::alone_shallow, {1, shallow, 1, kShallowCalls}},
        {&TuningFigures::full_shallow, {lanes, shallow, 1, kShallowCalls}},
        {&TuningFigures::alone_deep, {1, deep, 1, kDeepCalls}},
        {&TuningFigures::full_deep, {lanes, deep, 1, kDeepCalls}},
        {&TuningFigures::prompt, {1, 0, tuning_.prompt_rows, 1}},
    };
    for (const auto& [figure, work] : works)
      for (Contender& contender : contenders) {
        auto time = contender.trial->time_of(work, contender.candidate.choice.threads, deadline_);
        if (!time) return std::unexpected(std::move(time.error()));
        Duration& least = contender.candidate.figures.*figure;
        least = least == Duration{} ? *time : std::min(least, *time);
      }
    return {};
  }

  void choose(std::span<const Contender> contenders) {
    for (const Contender& contender : contenders) tuning_.candidates.push_back(contender.candidate);
    tuning_.choice = tuning_.candidates[best_of(tuning_.candidates, tuning_)].choice;
  }

  // In the context of the one that won, as a context may compute with fewer threads than its pool has.
  Result<void> compare_threads(const Contender& winner) {
    std::vector<Contender> contenders = {{winner.trial, {winner.candidate.choice, {}}}};
    for (const uint32_t threads : other_thread_counts(settings_.threads))
      contenders.push_back({winner.trial, {{winner.candidate.choice.flash_attention, threads}, {}}});
    if (contenders.size() == 1) return {};
    if (auto compared = compare(contenders); !compared) return compared;
    std::vector<TuningCandidate> candidates;
    for (const Contender& contender : contenders) candidates.push_back(contender.candidate);
    tuning_.choice = candidates[best_of(candidates, tuning_)].choice;
    tuning_.candidates.insert(tuning_.candidates.end(), candidates.begin() + 1, candidates.end());
    return {};
  }

  llama_model* model_;
  const ContextSettings settings_;
  const uint64_t kv_bytes_per_token_;
  LibraryLog& log_;
  const TimePoint begun_ = Clock::now();
  const TimePoint deadline_;
  std::vector<std::unique_ptr<Trial>> trials_;
  Tuning tuning_;
};

}  // namespace

std::vector<uint32_t> other_thread_counts(uint32_t threads) {
  std::vector<uint32_t> counts;
  if (threads > 2) counts.push_back(threads - 1);
  if (threads > 3) counts.push_back(threads / 2);
  return counts;
}

Tuning tune(llama_model* model, const ContextSettings& settings, uint64_t kv_bytes_per_token, LibraryLog& log,
            Duration time_max) {
  return Tuner(model, settings, kv_bytes_per_token, log, Clock::now() + time_max).run();
}

}  // namespace sluice::llamacpp
