#include <fmt/format.h>

#include "bench/report/html.h"
#include "bench/report/number.h"
#include "bench/report/page.h"
#include "bench/report/svg.h"
#include "bench/report/text.h"

namespace sluice::bench::report {
namespace {

std::string fact(std::string_view name, std::string_view text) {
  return text.empty() ? "" : element("dt", "", name) + element("dd", "", text) + "\n";
}

std::string machine_text(const MachineFacts& machine) {
  std::string out = machine.cpu.empty() ? "unknown processor" : machine.cpu;
  if (machine.cores) out += fmt::format(", {} {}", machine.cores, machine.cores == 1 ? "core" : "cores");
  if (machine.memory_bytes) {
    out += fmt::format(", {}", amount_text(static_cast<double>(machine.memory_bytes), "B"));
  }
  if (machine.read_bytes_per_s > 0) out += fmt::format(", reads {}", amount_text(machine.read_bytes_per_s, "B/s"));
  if (!machine.kernel.empty()) out += fmt::format(", Linux {}", machine.kernel);
  return out;
}

std::string model_text(const ModelFacts& model) {
  if (model.path.empty()) return "";
  std::string out(base_name(model.path));
  if (model.bytes) out += fmt::format(", {}", amount_text(static_cast<double>(model.bytes), "B"));
  return out;
}

std::string settings_text(const Settings& settings) {
  std::string out = fmt::format("{} pairs", settings.pairs);
  if (!settings.mode.empty()) out += fmt::format(", {} requests", settings.mode);
  if (settings.lanes) out += fmt::format(", {} lanes", settings.lanes);
  if (settings.context) out += fmt::format(" of {} tokens of context each", settings.context);
  return out + fmt::format(", seed {}", settings.seed);
}

std::string row_words(const RowFacts& row) {
  std::string out = row.kind == row.name ? "" : row.kind;
  if (!row.version.empty()) out += fmt::format("{}{}", out.empty() ? "" : " ", shortened(row.version, 40));
  if (row.state != RowState::served) out += fmt::format("{}{}", out.empty() ? "" : ", ", name_of(row.state));
  return out;
}

std::string legend(const RunResult& run) {
  std::string out;
  for (uint32_t row = 0; row < run.rows.size(); ++row) {
    out += fmt::format("<li>{} {}</li>\n", row_badge(run, row), element("span", "", row_words(run.rows[row])));
  }
  return out.empty() ? "" : fmt::format("<ul class=\"legend\">\n{}</ul>\n", out);
}

}  // namespace

std::string row_name(const RunResult& run, uint32_t row) {
  return row < run.rows.size() ? run.rows[row].name : fmt::format("row {}", row);
}

std::string row_badge(const RunResult& run, uint32_t row) {
  return fmt::format(
      "<span class=\"badge\"><svg viewBox=\"0 0 12 12\" aria-hidden=\"true\"><path class=\"{} m\" "
      "d=\"{}\"/></svg>{}</span>",
      row_class(row), marker_of(row, {6, 6}, 4.4).text(), escaped(row_name(run, row)));
}

std::string row_heads(const RunResult& run) {
  std::string out;
  for (uint32_t row = 0; row < run.rows.size(); ++row) out += "<th scope=\"col\">" + row_badge(run, row) + "</th>";
  return out;
}

std::string head_part(const Page& page) {
  const RunResult& run = page.run;
  const std::string model(base_name(run.model.path));
  std::string facts = fact("Machine", machine_text(run.machine)) + fact("Model", model_text(run.model)) +
                      fact("Measured", date_text(run.created) + (run.build.empty() ? "" : ", by sluice " + run.build)) +
                      fact("Settings", settings_text(run.settings));
  return fmt::format(
      "<header>\n<p class=\"over\">sluice bench</p>\n{}\n<dl>\n{}</dl>\n<pre class=\"command\">{}</pre>\n{}</header>\n",
      element("h1", "", model.empty() ? "Measured servers" : model), facts,
      escaped("sluice " + command_line(run.command)), legend(run));
}

}  // namespace sluice::bench::report
