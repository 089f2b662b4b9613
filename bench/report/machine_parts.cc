// What the machine has to say about the figures: who used its processor, and how close decoding comes to its memory.
#include <fmt/format.h>

#include <algorithm>

#include "bench/report/bar_chart.h"
#include "bench/report/html.h"
#include "bench/report/number.h"
#include "bench/report/page.h"
#include "bench/report/values.h"
#include "bench/report/words.h"

namespace sluice::bench::report {
namespace {

struct CpuShares {
  std::vector<double> bench, server, others;
};

CpuShares cpu_of(const RunResult& run, uint32_t row) {
  CpuShares shares;
  for (const auto& cell : run.cells) {
    for (const auto* sample : counting_samples(cell, row)) {
      shares.bench.push_back(sample->bench_cpu);
      shares.server.push_back(sample->server_cpu);
      shares.others.push_back(sample->others_cpu);
    }
  }
  for (auto* values : {&shares.bench, &shares.server, &shares.others}) std::ranges::sort(*values);
  return shares;
}

std::string middle_and_most(const std::vector<double>& sorted) {
  return element("td", "", percent_text(sorted[(sorted.size() - 1) / 2])) +
         element("td", "", percent_text(sorted.back()));
}

std::string cpu_row(const RunResult& run, uint32_t row) {
  const CpuShares shares = cpu_of(run, row);
  if (shares.bench.empty()) return "";
  return fmt::format("<tr><th scope=\"row\">{}</th>{}{}{}</tr>\n", row_badge(run, row), middle_and_most(shares.bench),
                     middle_and_most(shares.others), middle_and_most(shares.server));
}

bool is_single_stream(const CellResult& cell) { return cell.cell == "decode" && cell.x == 1.0; }

// Of the stream alone where the cell has it: the other includes the prompt.
const Summary* decode_rate(const CellResult& cell, uint32_t row) {
  const Summary* stream = find_summary(cell, row, "tokens_per_s_stream");
  return stream ? stream : find_summary(cell, row, "tokens_per_s");
}

bool reads_other_bytes(const RowFacts& row) { return row.kind == "mlx-lm"; }

std::string bandwidth_figure(const Page& page, const CellResult& cell) {
  std::vector<Bar> bars;
  const double limit = page.run.machine.read_bytes_per_s;
  const auto bytes = static_cast<double>(page.run.model.bytes);
  for (uint32_t row = 0; row < page.run.rows.size(); ++row) {
    Bar bar{.row = row,
            .name = row_name(page.run, row),
            .value = {},
            .low = {},
            .high = {},
            .words = absence_of(page.run, cell, row)};
    const Summary* summary = decode_rate(cell, row);
    if (reads_other_bytes(page.run.rows[row])) {
      bar.words = "reads weights in a format of its own";
    } else if (summary && summary->samples > 0) {
      bar.value = summary->median * bytes / limit;
      bar.low = summary->low * bytes / limit;
      bar.high = summary->high * bytes / limit;
      bar.words = fmt::format("{} · {} of {}", percent_text(*bar.value), number_text(summary->median * bytes * 1e-9),
                              amount_text(limit, "B/s"));
    }
    bars.push_back(std::move(bar));
  }
  return figure_of(cell.label, "share of the memory's read bandwidth",
                   draw_bars("Share of bandwidth: " + cell.label, bars, 1));
}

}  // namespace

std::string cpu_part(const Page& page) {
  std::string body;
  for (uint32_t row = 0; row < page.run.rows.size(); ++row) body += cpu_row(page.run, row);
  const std::string head =
      "<tr><th rowspan=\"2\"></th><th colspan=\"2\">load generator</th><th colspan=\"2\">other processes</th>"
      "<th colspan=\"2\">server</th></tr>\n<tr><th>median</th><th>most</th><th>median</th><th>most</th><th>median</th>"
      "<th>most</th></tr>";
  return section_of(
      page.prefix + "cpu", "Processor use",
      "Of one core, over all samples that count: what the load generator itself took from the machine while "
      "it measured, what other processes took, and what the server used.",
      table_of("plain numbers", head, body));
}

std::string bandwidth_part(const Page& page) {
  if (page.run.model.bytes == 0 || !(page.run.machine.read_bytes_per_s > 0)) return "";
  std::string figures;
  for (const auto& cell : page.run.cells) {
    if (is_single_stream(cell)) figures += bandwidth_figure(page, cell);
  }
  return section_of(
      page.prefix + "bandwidth", "Share of the memory-bandwidth limit",
      fmt::format("A single stream reads about the whole model ({}) for every token, so this machine's memory "
                  "({}, measured) sets a limit. Near 100 % there is nothing left to gain but to read less: "
                  "several streams at once, drafts, or a smaller model. Drafts and models that use a part of "
                  "their weights for a token can go past it.",
                  amount_text(static_cast<double>(page.run.model.bytes), "B"),
                  amount_text(page.run.machine.read_bytes_per_s, "B/s")),
      grid_of(figures));
}

}  // namespace sluice::bench::report
