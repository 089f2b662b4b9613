#include <fmt/format.h>

#include "bench/report/number.h"
#include "bench/report/page.h"
#include "bench/report/report.h"
#include "bench/report/text.h"
#include "bench/report/values.h"
#include "bench/report/words.h"

namespace sluice::bench {
namespace report {
namespace {

std::string head_of(const RunResult& run) {
  const std::string model(base_name(run.model.path));
  std::string out = fmt::format("## {}, {}\n\n", model.empty() ? "Measured servers" : markdown_escaped(model),
                                date_text(run.created));
  out += fmt::format("{}, {} cores; {} pairs; medians with bootstrap 95 % intervals; ratios against {}\n\n",
                     markdown_escaped(run.machine.cpu), run.machine.cores, run.settings.pairs,
                     run.rows.empty() ? "the first row" : markdown_escaped(run.rows[0].name));
  return out + markdown_code("sluice " + command_line(run.command)) + "\n";
}

std::string value_of(const RunResult& run, const CellResult& cell, uint32_t row, const ShownUnit& unit) {
  const Summary* summary = find_summary(cell, row, cell.primary);
  if (!summary || summary->samples == 0) return absence_of(run, cell, row);
  const std::string ratio = row == 0 ? "" : ratio_words(*summary);
  return value_text(*summary, unit) + (ratio.empty() ? "" : " " + ratio);
}

std::string variant_line(const RunResult& run, const Family& family, const CellResult& cell, bool with_figure) {
  const ShownUnit unit = unit_of(family, cell.primary);
  std::string out = "| " + markdown_escaped(cell.label.empty() ? cell.cell : cell.label);
  if (with_figure) out += " (" + markdown_escaped(figure_heading(family, cell.primary, unit)) + ")";
  for (uint32_t row = 0; row < run.rows.size(); ++row) out += " | " + value_of(run, cell, row, unit);
  return out + " |\n";
}

std::string table_of_family(const RunResult& run, const Family& family) {
  const std::string_view common = common_primary(family);
  std::string out = fmt::format("### {}\n\n", markdown_escaped(words_of_cell(family.cell).title));
  if (!common.empty()) out += markdown_escaped(figure_heading(family, common, unit_of(family, common))) + "\n\n";
  std::string rule = "|---";
  out += "| ";
  for (const auto& row : run.rows) {
    out += " | " + markdown_escaped(row.name);
    rule += "|--:";
  }
  out += " |\n" + rule + "|\n";
  for (const auto* cell : family.variants) out += variant_line(run, family, *cell, common.empty());
  return out + "\n";
}

std::string dropped_lines(const RunResult& run) {
  std::string out;
  for (const auto& cell : run.cells) {
    for (uint32_t row = 0; row < run.rows.size(); ++row) {
      const std::string dropped = dropped_text(cell, row);
      if (dropped.empty()) continue;
      out += fmt::format("- {}, {}, {}: {}\n", markdown_escaped(words_of_cell(cell.cell).title),
                         markdown_escaped(cell.label), markdown_escaped(run.rows[row].name), markdown_escaped(dropped));
    }
  }
  return out.empty() ? "" : "### Samples that do not count\n\n" + out + "\n";
}

std::string failed_rows(const RunResult& run) {
  std::string out;
  for (const auto& row : run.rows) {
    if (row.state == RowState::served) continue;
    out += fmt::format("- {}: {}\n\n", markdown_escaped(row.name), end_text(row));
    if (!row.stderr_tail.empty()) out += markdown_code(row.stderr_tail) + "\n";
  }
  return out.empty() ? "" : "### Servers that failed\n\n" + out;
}

}  // namespace
}  // namespace report

std::string markdown_report(std::span<const RunResult> runs) {
  std::string out = "# sluice bench\n\n";
  for (const auto& run : runs) {
    out += report::head_of(run);
    for (const auto& family : report::families_of(run)) out += report::table_of_family(run, family);
    out += report::failed_rows(run) + report::dropped_lines(run);
  }
  return out;
}

}  // namespace sluice::bench
