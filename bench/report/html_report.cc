#include <fmt/format.h>

#include <array>

#include "bench/report/html.h"
#include "bench/report/number.h"
#include "bench/report/page.h"
#include "bench/report/report.h"
#include "bench/report/style.h"
#include "bench/report/text.h"

namespace sluice::bench {
namespace report {
namespace {

struct Part {
  std::string_view id, title;
  std::string (*make)(const Page&);
};
constexpr std::array kParts = {
    Part{"summary", "Summary", summary_part},       Part{"failed", "Failed", failures_part},
    Part{"rates", "Cell by cell", rates_part},      Part{"first", "First token", first_token_part},
    Part{"memory", "Memory", memory_part},          Part{"streams", "Arrival of chunks", streams_part},
    Part{"cpu", "Processor use", cpu_part},         Part{"bandwidth", "Bandwidth", bandwidth_part},
    Part{"agreement", "Agreement", agreement_part}, Part{"dropped", "Dropped samples", dropped_part},
    Part{"servers", "Servers", rows_part},          Part{"words", "Figures", words_part}};

std::string article_of(const RunResult& run, size_t index) {
  const Page page{run, families_of(run), fmt::format("run{}-", index + 1)};
  std::string links;
  std::string body;
  for (const auto& part : kParts) {
    const std::string made = part.make(page);
    if (made.empty()) continue;
    links += fmt::format("<a href=\"#{}{}\">{}</a> ", page.prefix, part.id, escaped(part.title));
    body += made;
  }
  return fmt::format("<article>\n{}<nav>{}</nav>\n{}</article>\n", head_part(page), links, body);
}

std::string title_of(std::span<const RunResult> runs) {
  if (runs.empty()) return "sluice bench";
  const auto& run = runs.front();
  const std::string model(base_name(run.model.path));
  return fmt::format("sluice bench{}{}, {}", model.empty() ? "" : ": ", model, date_text(run.created));
}

}  // namespace
}  // namespace report

std::string html_report(std::span<const RunResult> runs) {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"sluice bench report\">\n{}\n<style>{}</style>\n</head>\n<body>\n<main>\n",
      report::element("title", "", report::title_of(runs)), report::page_style());
  for (size_t i = 0; i < runs.size(); ++i) out += report::article_of(runs[i], i);
  if (runs.empty()) out += report::element("p", "", "There is no result to show.");
  return out + "</main>\n</body>\n</html>\n";
}

}  // namespace sluice::bench
