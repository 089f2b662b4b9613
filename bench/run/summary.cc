#include "bench/run/summary.h"

#include <algorithm>
#include <map>
#include <set>

#include "bench/figures/kinds.h"
#include "bench/figures/statistics.h"

namespace sluice::bench {
namespace {

using Rounds = std::map<uint32_t, double>;  // round -> figure, of samples that count

Rounds rounds_of(std::span<const Sample> samples, uint32_t row, const std::string& figure) {
  Rounds rounds;
  for (const Sample& sample : samples) {
    const auto value = sample.figures.find(figure);
    if (sample.row == row && sample.state == SampleState::ok && value != sample.figures.end()) {
      rounds[sample.round] = value->second;
    }
  }
  return rounds;
}

std::vector<std::string> figures_of(std::span<const Sample> samples, uint32_t row, const std::string& primary) {
  std::set<std::string> names;
  for (const Sample& sample : samples) {
    if (sample.row != row || sample.state != SampleState::ok) continue;
    for (const auto& [name, value] : sample.figures) names.insert(name);
  }
  names.erase(primary);
  std::vector<std::string> ordered = {primary};
  ordered.insert(ordered.end(), names.begin(), names.end());
  return ordered;
}

std::map<std::string, uint32_t> dropped_of(std::span<const Sample> samples, uint32_t row) {
  std::map<std::string, uint32_t> dropped;
  for (const Sample& sample : samples) {
    const bool counts = sample.state == SampleState::ok || sample.state == SampleState::warm_up;
    if (sample.row == row && !counts) ++dropped[std::string(name_of(sample.state))];
  }
  return dropped;
}

void add_spread(Summary& summary, const Rounds& rounds, uint64_t seed) {
  std::vector<double> values;
  for (const auto& [round, value] : rounds) values.push_back(value);
  summary.samples = static_cast<uint32_t>(values.size());
  if (values.empty()) return;
  summary.median = median(values);
  std::tie(summary.min, summary.max) = std::pair(std::ranges::min(values), std::ranges::max(values));
  const Interval interval = median_interval(values, seed);
  summary.low = interval.low;
  summary.high = interval.high;
}

void add_ratio(Summary& summary, const Rounds& own, const Rounds& first, uint64_t seed) {
  std::vector<std::pair<double, double>> pairs;
  for (const auto& [round, value] : own) {
    if (const auto other = first.find(round); other != first.end()) pairs.emplace_back(value, other->second);
  }
  const auto ratio = paired_ratio(pairs, seed);
  if (!ratio) return;
  summary.ratio = ratio->median;
  summary.ratio_low = ratio->interval.low;
  summary.ratio_high = ratio->interval.high;
}

}  // namespace

std::vector<Summary> summarize(std::span<const Sample> samples, uint32_t rows, const std::string& primary,
                               uint64_t seed) {
  std::vector<Summary> summaries;
  for (uint32_t row = 0; row < rows; ++row) {
    for (const std::string& figure : figures_of(samples, row, primary)) {
      Summary summary;
      summary.row = row;
      summary.figure = figure;
      if (const auto kind = figure_kind(figure)) {
        summary.unit = kind->unit;
        summary.better = kind->better;
      }
      const Rounds own = rounds_of(samples, row, figure);
      add_spread(summary, own, seed);
      if (row > 0 && summary.better != Better::neither) add_ratio(summary, own, rounds_of(samples, 0, figure), seed);
      if (figure == primary) summary.dropped = dropped_of(samples, row);
      summaries.push_back(std::move(summary));
    }
  }
  return summaries;
}

}  // namespace sluice::bench
