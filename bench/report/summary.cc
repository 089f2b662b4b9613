#include <fmt/format.h>

#include "base/check.h"
#include "bench/report/html.h"
#include "bench/report/page.h"
#include "bench/report/text.h"
#include "bench/report/values.h"
#include "bench/report/words.h"

namespace sluice::bench::report {
namespace {

std::string_view class_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::none: return "plain";
    case Verdict::better: return "better";
    case Verdict::worse: return "worse";
    case Verdict::same: return "same";
  }
  UNREACHABLE();
}

std::string ratio_markup(const Summary& summary) {
  const std::string words = ratio_words(summary);
  if (words.empty()) return "";
  const Verdict verdict = verdict_of(summary);
  std::string tip;
  if (summary.ratio_low && summary.ratio_high) {
    tip = fmt::format(" title=\"{}: [{}, {}]\"", class_of(verdict), ratio_text(*summary.ratio_low),
                      ratio_text(*summary.ratio_high));
  }
  return fmt::format("<span class=\"ratio {}\"{}>{}</span>", class_of(verdict), tip, escaped(words));
}

std::string value_markup(const Summary& summary, const ShownUnit& unit) {
  return fmt::format("{} {}", element("b", "", number_text(summary.median * unit.factor)),
                     element("span", "interval", interval_text(summary.low, summary.high, summary.median, unit)));
}

std::string counts_markup(const CellResult& cell, const Summary& summary) {
  const std::string dropped = dropped_text(cell, summary.row);
  std::string words = fmt::format("n={}", summary.samples);
  if (!dropped.empty()) words += " · " + dropped;
  return element("span", dropped.empty() ? "counts" : "counts some", words);
}

std::string cell_markup(const RunResult& run, const CellResult& cell, uint32_t row, const ShownUnit& unit) {
  const Summary* summary = find_summary(cell, row, cell.primary);
  if (!summary || summary->samples == 0) {
    const std::string dropped = dropped_text(cell, row);
    return "<td>" + element("span", "missing", absence_of(run, cell, row)) +
           (dropped.empty() ? "" : element("span", "counts some", dropped)) + "</td>";
  }
  return fmt::format("<td><span class=\"line\">{}</span><span class=\"line\">{} {}</span></td>",
                     value_markup(*summary, unit), ratio_markup(*summary), counts_markup(cell, *summary));
}

std::string variant_rows(const Page& page, const Family& family) {
  const std::string_view common = common_primary(family);
  std::string out;
  for (const auto* cell : family.variants) {
    const ShownUnit unit = unit_of(family, cell->primary);
    out += "<tr><th scope=\"row\">" + element("span", "line", cell->label.empty() ? cell->cell : cell->label);
    if (common.empty()) out += element("span", "counts", figure_heading(family, cell->primary, unit));
    out += "</th>";
    for (uint32_t row = 0; row < page.run.rows.size(); ++row) out += cell_markup(page.run, *cell, row, unit);
    out += "</tr>\n";
  }
  return out;
}

std::string family_head(const Page& page, const Family& family) {
  const std::string_view common = common_primary(family);
  const std::string heading = common.empty() ? "" : figure_heading(family, common, unit_of(family, common));
  return fmt::format("<tr class=\"family\"><th colspan=\"{}\" scope=\"rowgroup\"><div>{} {}</div></th></tr>\n",
                     page.run.rows.size() + 1, element("b", "", words_of_cell(family.cell).title),
                     element("span", "", heading));
}

std::string figure_rows(const Page& page, const Family& family, std::string_view figure) {
  const ShownUnit unit = unit_of(family, figure);
  std::string out = fmt::format("<tr class=\"family\"><th colspan=\"{}\" scope=\"rowgroup\"><div>{}</div></th></tr>\n",
                                page.run.rows.size() + 1, element("span", "", figure_heading(family, figure, unit)));
  for (const auto* cell : family.variants) {
    if (!any_summary(*cell, figure)) continue;
    out += "<tr>" + element("th", "", cell->label.empty() ? cell->cell : cell->label);
    for (uint32_t row = 0; row < page.run.rows.size(); ++row) {
      const Summary* summary = find_summary(*cell, row, figure);
      const bool shown = summary && summary->samples > 0;
      const std::string ratio = shown && row > 0 ? ratio_markup(*summary) : "";
      out += shown ? fmt::format("<td>{} {}</td>", value_markup(*summary, unit), ratio) : "<td>–</td>";
    }
    out += "</tr>\n";
  }
  return out;
}

}  // namespace

std::string summary_part(const Page& page) {
  std::string body;
  for (const auto& family : page.families) body += family_head(page, family) + variant_rows(page, family);
  const std::string head = "<tr><th></th>" + row_heads(page.run) + "</tr>";
  const std::string words = fmt::format(
      "Medians with their bootstrap 95 % interval. Ratios are against {}: ▲ better and ▼ worse where the "
      "interval of the ratio leaves out 1, ≈ where it does not. n: samples that count.",
      page.run.rows.empty() ? "the first row" : page.run.rows[0].name);
  return section_of(page.prefix + "summary", "Summary", words, table_of("summary", head, body));
}

std::string figures_table(const Page& page, const Family& family) {
  std::string body;
  for (const auto figure : figures_of(family)) body += figure_rows(page, family, figure);
  const std::string head = "<tr><th></th>" + row_heads(page.run) + "</tr>";
  const std::string title(words_of_cell(family.cell).title);
  return body.empty() ? "" : details_of(escaped("Every figure: " + title), table_of("figures", head, body));
}

}  // namespace sluice::bench::report
