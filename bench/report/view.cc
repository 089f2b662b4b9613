#include "bench/report/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/check.h"

namespace sluice::bench::report {
namespace {

bool lies_on_axis(const CellResult* cell) { return cell->x && std::isfinite(*cell->x); }

}  // namespace

std::vector<Family> families_of(const RunResult& run) {
  std::vector<Family> families;
  for (const auto& cell : run.cells) {
    auto family = std::ranges::find(families, cell.cell, &Family::cell);
    if (family == families.end()) family = families.insert(families.end(), Family{cell.cell, {}});
    family->variants.push_back(&cell);
  }
  return families;
}

std::vector<Axis> axes_of(const Family& family) {
  std::vector<Axis> axes;
  for (const auto* variant : family.variants) {
    if (!lies_on_axis(variant)) continue;
    auto axis = std::ranges::find(axes, variant->series, &Axis::series);
    if (axis == axes.end()) axis = axes.insert(axes.end(), Axis{variant->series, {}});
    axis->variants.push_back(variant);
  }
  for (auto& axis : axes) std::ranges::stable_sort(axis.variants, {}, [](const CellResult* cell) { return *cell->x; });
  return axes;
}

Variants without_axis(const Family& family) {
  Variants loose;
  std::ranges::copy_if(family.variants, std::back_inserter(loose),
                       [](const CellResult* cell) { return !lies_on_axis(cell); });
  return loose;
}

Variants heaviest_of(const Family& family) {
  Variants heaviest = without_axis(family);
  for (const auto& axis : axes_of(family)) heaviest.push_back(axis.variants.back());
  return heaviest;
}

const Summary* find_summary(const CellResult& cell, uint32_t row, std::string_view figure) {
  const auto found = std::ranges::find_if(
      cell.summaries, [&](const Summary& summary) { return summary.row == row && summary.figure == figure; });
  return found != cell.summaries.end() ? &*found : nullptr;
}

const Summary* first_summary(const CellResult& cell, uint32_t row) {
  const auto found = std::ranges::find(cell.summaries, row, &Summary::row);
  return found != cell.summaries.end() ? &*found : nullptr;
}

const Summary* any_summary(const CellResult& cell, std::string_view figure) {
  const auto found = std::ranges::find(cell.summaries, figure, &Summary::figure);
  return found != cell.summaries.end() ? &*found : nullptr;
}

std::vector<std::string_view> figures_of(const Family& family) {
  std::vector<std::string_view> figures;
  for (const auto* variant : family.variants) {
    for (const auto& summary : variant->summaries) {
      if (std::ranges::find(figures, summary.figure) == figures.end()) figures.push_back(summary.figure);
    }
  }
  return figures;
}

bool has_figure(const Family& family, std::string_view start) {
  const auto figures = figures_of(family);
  return std::ranges::any_of(figures, [&](std::string_view figure) { return figure.starts_with(start); });
}

std::vector<const Sample*> counting_samples(const CellResult& cell, uint32_t row) {
  std::vector<const Sample*> samples;
  for (const auto& sample : cell.samples) {
    if (sample.row == row && sample.state == SampleState::ok) samples.push_back(&sample);
  }
  return samples;
}

const Sample* representative(const CellResult& cell, uint32_t row, const std::function<bool(const Sample&)>& suits) {
  auto samples = counting_samples(cell, row);
  std::erase_if(samples, [&](const Sample* sample) { return !suits(*sample); });
  if (samples.empty()) return nullptr;
  const auto primary = [&](const Sample* sample) {
    const auto figure = sample->figures.find(cell.primary);
    return figure != sample->figures.end() ? figure->second : sample->wall_ms;
  };
  std::ranges::stable_sort(samples, {}, primary);
  return samples[(samples.size() - 1) / 2];
}

namespace {
// Of fewer samples the bootstrap gives their range, which leaves 1 out by chance alone in one case of eight and more.
constexpr uint32_t kSamplesForVerdict = 6;
}  // namespace

Verdict verdict_of(const Summary& summary) {
  if (!summary.ratio || !summary.ratio_low || !summary.ratio_high) return Verdict::none;
  if (summary.samples < kSamplesForVerdict || summary.better == Better::neither) return Verdict::none;
  const bool more = *summary.ratio_low > 1;
  const bool less = *summary.ratio_high < 1;
  if (!more && !less) return Verdict::same;
  return more == (summary.better == Better::higher) ? Verdict::better : Verdict::worse;
}

std::string_view mark_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::none: return "";
    case Verdict::better: return "▲ ";
    case Verdict::worse: return "▼ ";
    case Verdict::same: return "≈ ";
  }
  UNREACHABLE();
}

std::string absence_of(const RunResult& run, const CellResult& cell, uint32_t row) {
  const RowState state = row < run.rows.size() ? run.rows[row].state : RowState::served;
  if (state != RowState::served) return std::string(name_of(state));
  return first_summary(cell, row) ? "no sample counts" : "not measured";
}

std::string end_text(const RowFacts& row) {
  std::string out(name_of(row.state));
  if (row.exit_code) out += fmt::format(", exit code {}", *row.exit_code);
  if (row.signal) out += fmt::format(", signal {}", *row.signal);
  return out;
}

std::string dropped_text(const CellResult& cell, uint32_t row) {
  std::string out;
  for (const auto& summary : cell.summaries) {
    if (summary.row != row || summary.dropped.empty()) continue;
    for (const auto& [why, count] : summary.dropped) {
      out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, why);
    }
    break;
  }
  return out;
}

}  // namespace sluice::bench::report
