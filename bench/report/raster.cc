#include "bench/report/raster.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/report/number.h"
#include "bench/report/scale.h"
#include "bench/report/svg.h"
#include "bench/report/text.h"

namespace sluice::bench::report {
namespace {

constexpr double kWidth = 460, kLeft = 5, kRight = kWidth - 20, kTitleHeight = 22, kAxisHeight = 22;
constexpr double kNamesWidth = 76;
constexpr size_t kNameCharacters = 11;

double stream_height(size_t streams) { return streams <= 4 ? 14 : streams <= 16 ? 8 : 5; }

// Marks are round numbers of the unit that is shown.
struct TimeAxis {
  double factor = 1;
  std::string_view unit;
  Scale scale;
  double at(double ms) const { return scale.at(ms * factor); }
};

TimeAxis time_axis(double duration_ms, double left, int marks) {
  if (duration_ms < 2000) return {1, " ms", Scale::up_to(duration_ms, left, kRight, marks)};
  return {0.001, " s", Scale::up_to(duration_ms * 0.001, left, kRight, marks)};
}

// Ticks that fall on the same half pixel are one.
Path ticks_of(const RasterStream& stream, const TimeAxis& time, double top, double height, size_t stride) {
  Path path;
  long last = -1;
  double at = 0;
  for (size_t i = 0; i < stream.ticks_ms.size(); i += stride) {
    const long half = std::lround(time.at(stream.ticks_ms[i]) * 2);
    if (half == last) continue;
    const double x = static_cast<double>(half) / 2;
    path.empty() ? path.move({x, top}) : path.move_by(x - at, -height);
    path.vertical(height);
    last = half;
    at = x;
  }
  return path;
}

void draw_stream(Svg& svg, uint32_t row, const RasterStream& stream, const TimeAxis& time, double top, double height,
                 size_t stride) {
  const std::string tip = fmt::format("{}: first token after {}, done after {}", stream.name,
                                      amount_text(stream.first_ms - stream.sent_ms, "ms"),
                                      amount_text(stream.done_ms - stream.sent_ms, "ms"));
  const double middle = top + height / 2;
  svg.path(row_class(row) + " waiting",
           Path().move({time.at(stream.sent_ms), middle}).line({time.at(stream.first_ms), middle}), tip);
  svg.path(row_class(row) + " ticks", ticks_of(stream, time, top, height, stride), tip);
}

void draw_time(Svg& svg, const TimeAxis& time, double top, double bottom) {
  for (const double mark : time.scale.marks()) {
    const double x = time.scale.at(mark);
    const bool last = mark == time.scale.marks().back();
    svg.line("grid", {x, top}, {x, bottom});
    svg.text("tick mid", {x, bottom + 14}, fmt::format("{}{}", mark_text(time.scale, mark), last ? time.unit : ""));
  }
}

}  // namespace

size_t raster_stride(const Raster& raster) {
  size_t ticks = 0;
  for (size_t i = 0; i < std::min(raster.streams.size(), kRasterStreamsMax); ++i)
    ticks += raster.streams[i].ticks_ms.size();
  return (ticks + kRasterTicksMax - 1) / kRasterTicksMax + (ticks == 0);
}

std::string draw_raster(const std::string& label, const Raster& raster, double duration_ms) {
  const size_t streams = std::min(raster.streams.size(), kRasterStreamsMax);
  const double height = stream_height(streams);
  const double bottom = kTitleHeight + static_cast<double>(streams) * (height + 2);
  const TimeAxis time = raster.with_names ? time_axis(duration_ms, kNamesWidth, 4) : time_axis(duration_ms, kLeft, 5);
  Svg svg(kWidth, bottom + kAxisHeight, label);
  svg.path(row_class(raster.row) + " m", marker_of(raster.row, {7, 9}, 4));
  svg.text("name", {18, 13}, shortened(raster.name, 30));
  svg.text("value end", {kRight, 13}, raster.words);
  draw_time(svg, time, kTitleHeight, bottom);
  const size_t stride = raster_stride(raster);
  for (size_t i = 0; i < streams; ++i) {
    const auto& stream = raster.streams[i];
    const double top = kTitleHeight + static_cast<double>(i) * (height + 2);
    draw_stream(svg, raster.row, stream, time, top, height, stride);
    const bool begins = i == 0 || raster.streams[i - 1].name != stream.name;
    if (raster.with_names && begins) {
      svg.text("tick", {2, top + height / 2 + 4}, shortened(stream.name, kNameCharacters));
    }
  }
  return svg.end();
}

}  // namespace sluice::bench::report
