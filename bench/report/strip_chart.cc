#include "bench/report/strip_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/report/number.h"
#include "bench/report/scale.h"
#include "bench/report/svg.h"
#include "bench/report/text.h"

namespace sluice::bench::report {
namespace {

constexpr double kWidth = 460, kLeft = 10, kRight = kWidth - 20;
constexpr double kRowHeight = 44, kMissingHeight = 22, kLineAt = 30, kAxisHeight = 24;
constexpr size_t kDotsMax = 160;  // of a strip; more are thinned evenly by rank
constexpr size_t kNameCharacters = 26;
constexpr double kWideSpread = 20;

double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (at - static_cast<double>(below));
}

Scale strip_scale(const std::vector<Strip>& strips) {
  double least = 0;
  double most = 0;
  for (const auto& strip : strips) {
    if (strip.values.empty()) continue;
    least = least == 0 ? strip.values.front() : std::min(least, strip.values.front());
    most = std::max(most, strip.values.back());
  }
  const bool wide = least > 0 && most / least >= kWideSpread;
  return wide ? Scale::logarithmic(least * 0.9, most * 1.1, kLeft, kRight)
              : Scale::from_zero(least, most, kLeft, kRight, 5);
}

// From then on values are as they are shown, so that marks are round numbers.
ShownUnit show_in_unit(std::vector<Strip>& strips, const std::string& unit) {
  double most = 0;
  for (const auto& strip : strips) most = std::max(most, strip.values.empty() ? 0 : strip.values.back());
  ShownUnit shown = shown_unit(unit, most);
  for (auto& strip : strips) {
    for (double& value : strip.values) value *= shown.factor;
  }
  return shown;
}

Path dots_of(const std::vector<double>& values, const Scale& scale, double y) {
  Path dots;
  const size_t count = std::min(values.size(), kDotsMax);
  for (size_t i = 0; i < count; ++i) {
    const double value = values[count < 2 ? 0 : i * (values.size() - 1) / (count - 1)];
    const double lift = static_cast<double>(i * 7 % 5) - 2;  // dots of equal values do not hide each other
    dots.move({scale.at(value), y + lift * 2}).horizontal(0);
  }
  return dots;
}

double height_of(const Strip& strip) { return strip.values.empty() ? kMissingHeight : kRowHeight; }

void draw_strip(Svg& svg, const Strip& strip, const Scale& scale, const std::string& unit, double top) {
  svg.path(row_class(strip.row) + " m", marker_of(strip.row, {kLeft - 3, top + 9}, 4));
  svg.text("name", {kLeft + 8, top + 13}, shortened(strip.name, kNameCharacters));
  if (strip.values.empty()) return svg.text("missing end", {kRight, top + 13}, strip.missing);
  const auto at = [&](double share) { return scale.at(quantile(strip.values, share)); };
  const auto shown = [&](double share) { return number_text(quantile(strip.values, share)); };
  const double y = top + kLineAt;
  const std::string row = row_class(strip.row);
  svg.path(row + " dots", dots_of(strip.values, scale, y));
  svg.line(row + " thin", {at(0.05), y}, {at(0.95), y});
  svg.line(row + " thick", {at(0.25), y}, {at(0.75), y});
  svg.line("median", {at(0.5), y - 7}, {at(0.5), y + 7});
  svg.text("value end", {kRight, top + 13}, fmt::format("{} · {} · {} {}", shown(0.5), shown(0.9), shown(0.99), unit));
}

}  // namespace

std::string draw_strips(const std::string& label, const std::string& unit, std::vector<Strip> strips) {
  for (auto& strip : strips) {
    std::erase_if(strip.values, [](double value) { return !std::isfinite(value); });
    std::ranges::sort(strip.values);
  }
  if (std::ranges::all_of(strips, [](const Strip& strip) { return strip.values.empty(); })) return "";
  double bottom = 2;
  for (const auto& strip : strips) bottom += height_of(strip);
  const ShownUnit shown = show_in_unit(strips, unit);
  const Scale scale = strip_scale(strips);
  Svg svg(kWidth, bottom + kAxisHeight, label);
  for (const double mark : scale.marks()) {
    svg.line("grid", {scale.at(mark), 20}, {scale.at(mark), bottom});
    svg.text("tick mid", {scale.at(mark), bottom + 15}, mark_text(scale, mark));
  }
  double top = 0;
  for (const auto& strip : strips) {
    draw_strip(svg, strip, scale, shown.name, top);
    top += height_of(strip);
  }
  return svg.end();
}

}  // namespace sluice::bench::report
