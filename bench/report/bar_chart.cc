#include "bench/report/bar_chart.h"

#include <algorithm>
#include <cmath>

#include "bench/report/svg.h"
#include "bench/report/text.h"

namespace sluice::bench::report {
namespace {

constexpr double kWidth = 460, kRight = kWidth - 6, kLeft = 2;
constexpr double kRowHeight = 38, kMissingHeight = 22, kBarTop = 19, kBarHeight = 9;
constexpr size_t kNameCharacters = 34;

double height_of(const Bar& bar) { return bar.value ? kRowHeight : kMissingHeight; }

void draw_bar(Svg& svg, const Bar& bar, double top, double per_unit, double full) {
  svg.path(row_class(bar.row) + " m", marker_of(bar.row, {kLeft + 5, top + 9}, 4));
  svg.text("name", {kLeft + 16, top + 13}, shortened(bar.name, kNameCharacters));
  svg.text(bar.value ? "value end" : "missing end", {kRight, top + 13}, bar.words);
  if (!bar.value || !std::isfinite(*bar.value)) return;
  svg.box("track", {kLeft, top + kBarTop}, full * per_unit, kBarHeight);
  svg.box(row_class(bar.row) + " bar", {kLeft, top + kBarTop}, *bar.value * per_unit, kBarHeight);
  if (!bar.low || !bar.high) return;
  const double middle = top + kBarTop + kBarHeight / 2;
  const double low = kLeft + *bar.low * per_unit;
  const double high = kLeft + *bar.high * per_unit;
  svg.path("interval", Path()
                           .move({low, middle - 4})
                           .vertical(8)
                           .move({low, middle})
                           .line({high, middle})
                           .move({high, middle - 4})
                           .vertical(8));
}

}  // namespace

std::string draw_bars(const std::string& label, const std::vector<Bar>& bars, double full) {
  double most = full;
  for (const auto& bar : bars) {
    for (const auto& value : {bar.value, bar.high}) {
      if (value && std::isfinite(*value)) most = std::max(most, *value);
    }
  }
  double height = 0;
  for (const auto& bar : bars) height += height_of(bar);
  Svg svg(kWidth, height, label);
  double top = 0;
  for (const auto& bar : bars) {
    draw_bar(svg, bar, top, most > 0 ? (kRight - kLeft) / most : 0, full);
    top += height_of(bar);
  }
  return svg.end();
}

}  // namespace sluice::bench::report
