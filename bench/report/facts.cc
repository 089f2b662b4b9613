// The end of a page: what can be looked up.
#include <fmt/format.h>

#include <set>

#include "bench/report/html.h"
#include "bench/report/number.h"
#include "bench/report/page.h"
#include "bench/report/text.h"
#include "bench/report/words.h"

namespace sluice::bench::report {
namespace {

std::string fact_of(std::string_view name, const std::string& text) {
  return text.empty() ? "" : element("dt", "", name) + element("dd", "code", text) + "\n";
}

std::string count_or_nothing(uint32_t count, std::string_view what) {
  return count ? setting_text(count) + std::string(what) : "";
}

std::string row_facts(const RowFacts& row) {
  return "<dl>\n" + fact_of("Kind", row.kind) + fact_of("URL", row.url) + fact_of("Command", command_line(row.argv)) +
         fact_of("Environment", command_line(row.environment)) + fact_of("Version", row.version) +
         fact_of("Model", row.model_id) + fact_of("Lanes", count_or_nothing(row.lanes, "")) +
         fact_of("Context of a lane", count_or_nothing(row.context, " tokens")) +
         fact_of("Ready after", row.ready_ms > 0 ? amount_text(row.ready_ms, "ms") : "") +
         fact_of("Start line", row.start_line) + fact_of("System info", row.system_info) + "</dl>\n";
}

}  // namespace

std::string agreement_part(const Page& page) {
  std::string body;
  for (const auto& one : page.run.agreement) {
    const double share = one.answers ? static_cast<double>(one.equal) / one.answers : 0;
    body += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td>{}{}{}{}</tr>\n", row_badge(page.run, one.row),
                        row_badge(page.run, one.other), element("td", "", one.label),
                        element("td", "", fmt::format("{} of {}", one.equal, one.answers)),
                        element("td", "", percent_text(share)),
                        element("td", "", one.first_difference ? number_text(*one.first_difference, 0) : "–"));
  }
  const std::string head =
      "<tr><th>Server</th><th>against</th><th>at</th><th>equal answers</th><th>share</th><th>first difference, "
      "token</th></tr>";
  return section_of(
      page.prefix + "agreement", "Agreement",
      "Replies at temperature 0 to the same prompts, compared. Servers that add up in another order differ in "
      "the last digits, and then, sooner or later, in a word; what counts is that it is late and rare.",
      table_of("plain", head, body));
}

std::string rows_part(const Page& page) {
  std::string body;
  for (uint32_t row = 0; row < page.run.rows.size(); ++row) {
    body += details_of(row_badge(page.run, row), row_facts(page.run.rows[row]));
  }
  return section_of(page.prefix + "servers", "Servers", "How each was started, and what it says of itself.", body);
}

std::string words_part(const Page& page) {
  std::set<std::string_view> seen;
  std::string body;
  for (const auto& family : page.families) {
    for (const auto figure : figures_of(family)) {
      if (!seen.insert(figure).second) continue;
      const FigureWords words = words_of_figure(figure);
      body += "<tr>" + element("th", "code", figure) +
              element("td", "text", words.meaning.empty() ? "–" : words.meaning) + "</tr>\n";
    }
  }
  return section_of(page.prefix + "words", "What the figures mean", "", table_of("plain", "", body));
}

}  // namespace sluice::bench::report
