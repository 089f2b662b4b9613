// What single samples show and a median does not: the spread of first tokens, memory over time, when chunks arrived.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "bench/report/html.h"
#include "bench/report/number.h"
#include "bench/report/page.h"
#include "bench/report/raster.h"
#include "bench/report/strip_chart.h"
#include "bench/report/words.h"
#include "bench/report/xy_chart.h"

namespace sluice::bench::report {
namespace {

constexpr size_t kSortsMax = 3;           // of requests; more are told apart by prompts, not by what they are for
constexpr size_t kMemoryPointsMax = 300;  // of a line

// "agent" of "agent 3"
std::string_view sort_of(const RequestFacts& request) {
  const std::string_view label = request.label;
  const std::string_view sort = label.substr(0, label.find_first_of("0123456789#"));
  return sort.substr(0, sort.find_last_not_of(" -_/") + 1);
}

std::vector<std::string_view> sorts_of(const CellResult& cell) {
  std::set<std::string_view> sorts;
  for (const auto& sample : cell.samples) {
    for (const auto& request : sample.requests) sorts.insert(sort_of(request));
  }
  if (sorts.size() > kSortsMax) return {""};
  return {sorts.begin(), sorts.end()};
}

std::vector<double> first_tokens(const CellResult& cell, uint32_t row, std::string_view sort) {
  std::vector<double> times;
  for (const auto* sample : counting_samples(cell, row)) {
    for (const auto& request : sample->requests) {
      if (request.first_ms && (sort.empty() || sort_of(request) == sort))
        times.push_back(*request.first_ms - request.sent_ms);
    }
  }
  return times;
}

std::string strips_figure(const Page& page, const CellResult& cell, std::string_view sort, bool only) {
  std::vector<Strip> strips;
  for (uint32_t row = 0; row < page.run.rows.size(); ++row) {
    strips.push_back({row, row_name(page.run, row), first_tokens(cell, row, sort), absence_of(page.run, cell, row)});
  }
  const std::string title = only ? cell.label : fmt::format("{}: {}", cell.label, sort);
  return figure_of(title, "time to first token", draw_strips("Time to first token: " + title, "ms", std::move(strips)));
}

std::string family_strips(const Page& page, const Family& family) {
  std::string figures;
  for (const auto* cell : family.variants) {
    const auto sorts = sorts_of(*cell);
    for (const auto sort : sorts) figures += strips_figure(page, *cell, sort, sorts.size() == 1);
  }
  return part_of(words_of_cell(family.cell).title, "", grid_of(figures));
}

XyLine memory_line(const Page& page, const CellResult& cell, uint32_t row) {
  XyLine line{row, row_name(page.run, row), {}};
  const auto* sample = representative(cell, row, [](const Sample& one) { return !one.memory.empty(); });
  if (!sample) return line;
  const size_t stride = (sample->memory.size() + kMemoryPointsMax - 1) / kMemoryPointsMax;
  for (size_t i = 0; i < sample->memory.size(); i += stride) {
    const auto& [ms, bytes] = sample->memory[i];
    line.points.push_back({ms, static_cast<double>(bytes), {}, {}, ""});
  }
  return line;
}

std::string memory_figure(const Page& page, const CellResult& cell) {
  const std::string title = fmt::format("{}, {}", words_of_cell(cell.cell).title, cell.label);
  XyChart chart{.label = "Memory: " + title,
                .x_name = "time",
                .x_unit = "ms",
                .y_unit = "B",
                .measured_at_points = false,
                .lines = {}};
  for (uint32_t row = 0; row < page.run.rows.size(); ++row) chart.lines.push_back(memory_line(page, cell, row));
  return figure_of(title, "memory of the process tree", draw(std::move(chart)));
}

std::vector<double> ticks_of(const RequestFacts& request) {
  std::vector<double> ticks;
  double at = request.sent_ms;
  for (const uint32_t us : request.arrivals_us) ticks.push_back(at += us / 1000.0);
  return ticks;
}

Raster raster_of(const Page& page, const CellResult& cell, uint32_t row, const Sample& sample) {
  Raster raster{.row = row, .name = row_name(page.run, row), .words = "", .streams = {}, .with_names = false};
  const auto sorts = sorts_of(cell);
  raster.with_names = sorts.size() > 1;
  for (const auto& request : sample.requests) {
    const std::string name(raster.with_names ? sort_of(request) : std::string_view(request.label));
    raster.streams.push_back(
        {name, request.sent_ms, request.first_ms.value_or(request.done_ms), request.done_ms, ticks_of(request)});
  }
  std::ranges::stable_sort(raster.streams, {}, &RasterStream::sent_ms);
  if (raster.streams.size() > kRasterStreamsMax) {
    raster.words = fmt::format("{} of {} streams", kRasterStreamsMax, raster.streams.size());
  } else if (const size_t stride = raster_stride(raster); stride > 1) {
    raster.words = fmt::format("one tick for {} chunks", stride);
  }
  return raster;
}

std::string rasters_of(const Page& page, const CellResult& cell) {
  std::vector<Raster> rasters;
  double duration = 0;
  for (uint32_t row = 0; row < page.run.rows.size(); ++row) {
    const auto* sample = representative(cell, row, [](const Sample& one) { return !one.requests.empty(); });
    if (!sample) continue;
    rasters.push_back(raster_of(page, cell, row, *sample));
    for (const auto& stream : rasters.back().streams) duration = std::max(duration, stream.done_ms);
  }
  std::string figures;
  const std::string title = fmt::format("{}, {}", words_of_cell(cell.cell).title, cell.label);
  for (const auto& raster : rasters) {
    figures +=
        fmt::format("<figure>{}</figure>\n", draw_raster(fmt::format("{}: {}", title, raster.name), raster, duration));
  }
  return part_of(title, "", grid_of(figures));
}

}  // namespace

std::string first_token_part(const Page& page) {
  std::string body;
  for (const auto& family : page.families) {
    if (has_figure(family, "ttft_ms")) body += family_strips(page, family);
  }
  return section_of(
      page.prefix + "first", "First token",
      "From the send of a request to its first content, over all samples that count. A dot is a request; the "
      "thin line goes from the 5th to the 95th percentile, the thick one over the middle half, the mark is the "
      "median. Numbers: median · 90th · 99th percentile.",
      body);
}

std::string memory_part(const Page& page) {
  std::string figures;
  for (const auto& family : page.families) {
    for (const auto* cell : heaviest_of(family)) figures += memory_figure(page, *cell);
  }
  return section_of(
      page.prefix + "memory", "Memory over time",
      "Of the server and the processes below it, in the sample whose primary figure is the median; where a "
      "cell has several levels, at the highest.",
      grid_of(figures));
}

std::string streams_part(const Page& page) {
  constexpr std::array<std::string_view, 3> shown = {"ttft", "behind", "concurrent"};
  std::string body;
  for (const auto& family : page.families) {
    if (std::ranges::find(shown, family.cell) == shown.end()) continue;
    for (const auto* cell : heaviest_of(family)) body += rasters_of(page, *cell);
  }
  return section_of(
      page.prefix + "streams", "Arrival of chunks",
      "A line is a stream: pale while it waits for its first token, then a tick for each chunk. The sample is "
      "the one whose primary figure is the median; the time axis is the same for all servers.",
      body);
}

}  // namespace sluice::bench::report
