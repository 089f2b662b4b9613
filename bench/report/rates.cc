#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bench/report/bar_chart.h"
#include "bench/report/html.h"
#include "bench/report/page.h"
#include "bench/report/values.h"
#include "bench/report/words.h"
#include "bench/report/xy_chart.h"

namespace sluice::bench::report {
namespace {

// By level, besides the primary figure.
constexpr std::array<std::string_view, 6> kPlotted = {"tokens_per_s", "tokens_per_s_stream", "ttft_ms_p50",
                                                      "ttft_ms_p99",  "gap_ms_p99",          "memory_bytes_peak"};

std::string unit_in(const Variants& variants, std::string_view figure) {
  for (const auto* cell : variants) {
    if (const auto* summary = any_summary(*cell, figure)) return summary->unit;
  }
  return "";
}

XyLine line_of(const Page& page, const Axis& axis, std::string_view figure, uint32_t row) {
  XyLine line{row, row_name(page.run, row), {}};
  for (const auto* cell : axis.variants) {
    const Summary* summary = find_summary(*cell, row, figure);
    if (!summary || summary->samples == 0) continue;
    const ShownUnit unit = shown_unit(summary->unit, summary->median);
    line.points.push_back(
        {*cell->x, summary->median, summary->low, summary->high,
         fmt::format("{}, {}: {} {}", line.name, cell->label, value_text(*summary, unit), unit.name)});
  }
  return line;
}

std::string axis_figure(const Page& page, const Family& family, const Axis& axis, std::string_view figure) {
  XyChart chart{
      .label = fmt::format("{} {}: {}", words_of_cell(family.cell).title, axis.series, words_of_figure(figure).title),
      .x_name = axis.variants.front()->x_name,
      .x_unit = "",
      .y_unit = unit_in(axis.variants, figure),
      .measured_at_points = true,
      .lines = {}};
  for (uint32_t row = 0; row < page.run.rows.size(); ++row) chart.lines.push_back(line_of(page, axis, figure, row));
  const std::string title = axis.series.empty() ? "" : fmt::format("{}: ", axis.series);
  return figure_of(fmt::format("{}{}", title, words_of_figure(figure).title), direction_of(family, figure),
                   draw(std::move(chart)));
}

std::string bars_figure(const Page& page, const Family& family, const CellResult& cell) {
  const ShownUnit unit = unit_of(family, cell.primary);
  std::vector<Bar> bars;
  for (uint32_t row = 0; row < page.run.rows.size(); ++row) {
    Bar bar{.row = row,
            .name = row_name(page.run, row),
            .value = {},
            .low = {},
            .high = {},
            .words = absence_of(page.run, cell, row)};
    if (const auto* summary = find_summary(cell, row, cell.primary); summary && summary->samples > 0) {
      bar.value = summary->median;
      bar.low = summary->low;
      bar.high = summary->high;
      bar.words = value_text(*summary, unit) + (unit.name.empty() ? "" : " " + unit.name);
    }
    bars.push_back(std::move(bar));
  }
  return figure_of(cell.label.empty() ? cell.cell : cell.label,
                   fmt::format("{} · {}", words_of_figure(cell.primary).title, direction_of(family, cell.primary)),
                   draw_bars(cell.label, bars));
}

// The primary figure, what is of its sort, and the other plotted figures that an axis has.
std::string axis_figures(const Page& page, const Family& family, const Axis& axis) {
  const std::string_view primary = axis.variants.front()->primary;
  const std::string_view sort = primary.substr(0, primary.find('_'));
  std::vector<std::string_view> figures(kPlotted.begin(), kPlotted.end());
  std::erase(figures, primary);
  std::ranges::stable_partition(figures, [&](std::string_view figure) { return figure.starts_with(sort); });
  figures.insert(figures.begin(), primary);
  std::string out;
  for (const auto figure : figures) out += axis_figure(page, family, axis, figure);
  return out;
}

std::string family_rates(const Page& page, const Family& family) {
  std::string figures;
  for (const auto& axis : axes_of(family)) {
    const bool line = axis.variants.size() > 1;
    figures += line ? axis_figures(page, family, axis) : bars_figure(page, family, *axis.variants.front());
  }
  for (const auto* cell : without_axis(family)) figures += bars_figure(page, family, *cell);
  const CellWords words = words_of_cell(family.cell);
  return part_of(words.title, words.meaning, grid_of(figures) + figures_table(page, family));
}

}  // namespace

std::string rates_part(const Page& page) {
  std::string body;
  for (const auto& family : page.families) body += family_rates(page, family);
  return section_of(
      page.prefix + "rates", "Cell by cell",
      "Medians; whiskers are 95 % intervals. Where a whisker cannot be seen, it is smaller than the mark.", body);
}

}  // namespace sluice::bench::report
