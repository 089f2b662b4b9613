// Rows that did not serve to the end, and samples that do not count: nothing that went wrong may be missing on a page.
#include <fmt/format.h>

#include <map>

#include "bench/report/html.h"
#include "bench/report/page.h"
#include "bench/report/text.h"
#include "bench/report/words.h"

namespace sluice::bench::report {
namespace {

constexpr size_t kLinesOpen = 12;  // of a table; a longer one is folded
constexpr size_t kReasonsMax = 6;  // of one row in one cell

struct Dropped {
  std::map<std::string, uint32_t> states, reasons;
};

Dropped dropped_of(const CellResult& cell, uint32_t row) {
  Dropped out;
  for (const auto& sample : cell.samples) {
    if (sample.row != row || sample.state == SampleState::ok || sample.state == SampleState::warm_up) continue;
    ++out.states[std::string(name_of(sample.state))];
    for (const auto& reason : sample.reasons) ++out.reasons[reason];
    for (const auto& request : sample.requests) {
      for (const auto& fault : request.faults) ++out.reasons["fault: " + fault];
    }
  }
  return out;
}

std::string states_text(const Dropped& dropped) {
  std::string out;
  for (const auto& [state, count] : dropped.states)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, state);
  return out;
}

std::string reasons_text(const Dropped& dropped) {
  std::string out;
  size_t shown = 0;
  for (const auto& [reason, count] : dropped.reasons) {
    if (shown++ == kReasonsMax) return out + fmt::format("; and {} more", dropped.reasons.size() - kReasonsMax);
    out += (out.empty() ? "" : "; ") + reason + (count > 1 ? fmt::format(" ({}×)", count) : "");
  }
  return out;
}

std::string dropped_line(const RunResult& run, const CellResult& cell, uint32_t row) {
  const Dropped dropped = dropped_of(cell, row);
  if (dropped.states.empty()) return "";
  return fmt::format("<tr>{}<td>{}</td>{}{}</tr>\n",
                     element("th", "", fmt::format("{}, {}", words_of_cell(cell.cell).title, cell.label)),
                     row_badge(run, row), element("td", "", states_text(dropped)),
                     element("td", "text", reasons_text(dropped)));
}

}  // namespace

std::string failures_part(const Page& page) {
  std::string body;
  for (uint32_t row = 0; row < page.run.rows.size(); ++row) {
    const RowFacts& facts = page.run.rows[row];
    if (facts.state == RowState::served) continue;
    body += fmt::format("<div class=\"failure\"><p>{} {}</p>", row_badge(page.run, row),
                        element("span", "", end_text(facts)));
    body += facts.stderr_tail.empty() ? element("p", "words", "It wrote nothing to its standard error.")
                                      : element("pre", "", facts.stderr_tail);
    body += "</div>\n";
  }
  return section_of(page.prefix + "failed", "Servers that failed", "With the last that they wrote.", body);
}

std::string dropped_part(const Page& page) {
  std::string body;
  size_t lines = 0;
  for (const auto& family : page.families) {
    for (const auto* cell : family.variants) {
      for (uint32_t row = 0; row < page.run.rows.size(); ++row) {
        const std::string line = dropped_line(page.run, *cell, row);
        lines += !line.empty();
        body += line;
      }
    }
  }
  const std::string head = "<tr><th>Cell</th><th>Server</th><th>Samples</th><th>Why</th></tr>";
  const std::string table = table_of("plain", head, body);
  return section_of(
      page.prefix + "dropped", "Samples that do not count",
      "Disturbed: other processes used too much of the machine. Void: it ran, but not as meant. Failed: a "
      "request failed.",
      lines > kLinesOpen ? details_of(fmt::format("All {} lines", lines), table) : table);
}

}  // namespace sluice::bench::report
