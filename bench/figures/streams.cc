#include "bench/figures/streams.h"

#include <algorithm>

#include "bench/figures/statistics.h"

namespace sluice::bench {
namespace {

Duration wall(std::span<const Answer> answers) {
  if (answers.empty()) return {};
  const TimePoint begun = std::ranges::min(answers, {}, &Answer::sent).sent;
  return std::ranges::max(answers, {}, &Answer::ended).ended - begun;
}

}  // namespace

double wall_ms(std::span<const Answer> answers) { return to_ms(wall(answers)); }

double tokens_per_s(std::span<const Answer> answers) {
  const double seconds = to_seconds(wall(answers));
  double tokens = 0;
  for (const Answer& answer : answers) tokens += answer.pieces.empty() ? 0 : answer.tokens();
  return seconds > 0 ? tokens / seconds : 0;
}

std::vector<double> first_ms(std::span<const Answer> answers) {
  std::vector<double> times;
  for (const Answer& answer : answers) {
    if (!answer.pieces.empty()) times.push_back(to_ms(answer.first()));
  }
  return times;
}

std::vector<double> gaps_ms(std::span<const Answer> answers) {
  std::vector<double> gaps;
  for (const Answer& answer : answers) {
    for (size_t i = 1; i < answer.pieces.size(); ++i) {
      gaps.push_back(to_ms(answer.pieces[i].at - answer.pieces[i - 1].at));
    }
  }
  return gaps;
}

std::vector<double> paces(std::span<const Answer> answers) {
  std::vector<double> rates;
  for (const Answer& answer : answers) {
    if (answer.pieces.size() < 2) continue;
    const double seconds = to_seconds(answer.pieces.back().at - answer.pieces.front().at);
    const auto pieces = static_cast<double>(answer.pieces.size());
    if (seconds > 0) rates.push_back(answer.tokens() * (pieces - 1) / pieces / seconds);
  }
  return rates;
}

void add_first_token(Figures& figures, std::span<const Answer> answers) {
  const auto times = first_ms(answers);
  if (times.empty()) return;
  figures["ttft_ms_p50"] = quantile(times, 0.5);
  figures["ttft_ms_p90"] = quantile(times, 0.9);
  figures["ttft_ms_p99"] = quantile(times, 0.99);
}

void add_gaps(Figures& figures, std::span<const Answer> answers) {
  const auto gaps = gaps_ms(answers);
  if (gaps.empty()) return;
  figures["gap_ms_p50"] = quantile(gaps, 0.5);
  figures["gap_ms_p99"] = quantile(gaps, 0.99);
  figures["pause_ms_max"] = quantile(gaps, 1);
}

void add_rates(Figures& figures, std::span<const Answer> answers) {
  figures["tokens_per_s"] = tokens_per_s(answers);
  figures["wall_ms"] = wall_ms(answers);
  if (const auto rates = paces(answers); !rates.empty()) figures["tokens_per_s_stream"] = median(rates);
}

}  // namespace sluice::bench
