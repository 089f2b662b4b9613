#include "bench/report/xy_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/report/number.h"
#include "bench/report/scale.h"
#include "bench/report/spread.h"
#include "bench/report/svg.h"
#include "bench/report/text.h"

namespace sluice::bench::report {
namespace {

constexpr double kWidth = 460, kHeight = 274;
constexpr double kLeft = 46, kTop = 26, kBottom = kHeight - 40;
constexpr size_t kNameCharacters = 18;
constexpr double kLabelHeight = 14;
constexpr double kMarkDistance = 24;    // of two marks on x, at least
constexpr double kWideRange = 40;       // of y: a linear axis would hide the small ones
constexpr double kGeometricLevels = 8;  // x from 1 to this or more: doublings, most likely

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool is_empty() const { return low > high; }
  bool spans(double factor) const { return low > 0 && high / low >= factor; }
};

struct EndLabel {
  uint32_t row = 0;
  Point at;
  std::string text;
};

class XyDrawing final {
 public:
  explicit XyDrawing(XyChart& chart) : chart_(chart), svg_(kWidth, kHeight, chart.label) {}

  std::string draw() {
    find_ranges();
    if (x_range_.is_empty()) return "";
    show_in_units();
    make_scales();
    draw_y_axis();
    draw_x_axis();
    for (const auto& line : chart_.lines) draw_line(line);
    draw_labels();
    return svg_.end();
  }

 private:
  void find_ranges() {
    for (const auto& line : chart_.lines) {
      for (const auto& point : line.points) {
        x_range_.add(point.x);
        for (const double y : {point.y, point.low.value_or(point.y), point.high.value_or(point.y)}) y_range_.add(y);
      }
      if (!line.points.empty()) label_width_ = std::max(label_width_, width_of(shortened(line.name, kNameCharacters)));
    }
  }

  // From here on all values are as they are shown, so that marks are round numbers.
  void show_in_units() {
    y_unit_ = shown_unit(chart_.y_unit, y_range_.high);
    x_unit_ = shown_unit(chart_.x_unit, x_range_.high);
    for (auto& line : chart_.lines) {
      for (auto& point : line.points) {
        point.x *= x_unit_.factor;
        point.y *= y_unit_.factor;
        for (auto* end : {&point.low, &point.high}) {
          if (*end) **end *= y_unit_.factor;
        }
      }
    }
    x_range_ = y_range_ = Range{};
    find_ranges();
  }

  void make_scales() {
    right_ = kWidth - label_width_ - 14;
    y_ = y_range_.spans(kWideRange) ? Scale::logarithmic(y_range_.low * 0.8, y_range_.high * 1.1, kBottom, kTop)
                                    : Scale::from_zero(y_range_.low, y_range_.high, kBottom, kTop, 5);
    const bool doublings = chart_.measured_at_points && x_range_.spans(kGeometricLevels);
    const double from = kLeft + (chart_.measured_at_points ? 12 : 0);
    const double to = right_ - (chart_.measured_at_points ? 8 : 0);
    x_ = doublings ? Scale::logarithmic(x_range_.low, x_range_.high, from, to)
                   : Scale::up_to(x_range_.high, from, to, 4);
  }

  void draw_y_axis() {
    for (const double mark : y_.marks()) {
      svg_.line("grid", {kLeft, y_.at(mark)}, {right_, y_.at(mark)});
      svg_.text("tick end", {kLeft - 6, y_.at(mark) + 4}, mark_text(y_, mark));
    }
    const std::string note = y_.is_logarithmic() ? y_unit_.name + ", logarithmic" : y_unit_.name;
    svg_.text("tick", {2, 11}, note);
  }

  std::vector<double> x_marks() const {
    if (!chart_.measured_at_points) return x_.marks();
    std::vector<double> marks;
    for (const auto& line : chart_.lines) {
      for (const auto& point : line.points) marks.push_back(point.x);
    }
    std::ranges::sort(marks);
    marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
    return marks;
  }

  void draw_x_axis() {
    svg_.line("axis", {kLeft, kBottom}, {right_, kBottom});
    double last = -kMarkDistance;
    for (const double mark : x_marks()) {
      const double x = x_.at(mark);
      if (x - last < kMarkDistance) continue;
      last = x;
      svg_.line("axis", {x, kBottom}, {x, kBottom + 4});
      svg_.text("tick mid", {x, kBottom + 17}, chart_.measured_at_points ? setting_text(mark) : mark_text(x_, mark));
    }
    const std::string unit = x_unit_.name.empty() ? "" : fmt::format(" ({})", x_unit_.name);
    svg_.text("tick mid", {(kLeft + right_) / 2, kBottom + 34}, chart_.x_name + unit);
  }

  void draw_line(const XyLine& line) {
    if (line.points.empty()) return;
    Path path;
    for (const auto& point : line.points) {
      const Point at{x_.at(point.x), y_.at(point.y)};
      path.empty() ? path.move(at) : path.line(at);
    }
    svg_.path(row_class(line.row) + " line", path);
    if (chart_.measured_at_points) {
      for (const auto& point : line.points) draw_point(line.row, point);
    }
    const auto& last = line.points.back();
    labels_.push_back({line.row, {x_.at(last.x), y_.at(last.y)}, shortened(line.name, kNameCharacters)});
  }

  void draw_point(uint32_t row, const XyPoint& point) {
    const double x = x_.at(point.x);
    if (point.low && point.high) {
      Path whisker;
      for (const double y : {y_.at(*point.low), y_.at(*point.high)}) whisker.move({x - 3, y}).horizontal(6);
      whisker.move({x, y_.at(*point.low)}).line({x, y_.at(*point.high)});
      svg_.path(row_class(row) + " whisker", whisker);
    }
    svg_.marker(row, {x, y_.at(point.y)}, point.tip);
  }

  // Labels stand at the right edge, pushed apart where lines end close together.
  void draw_labels() {
    std::ranges::stable_sort(labels_, {}, [](const EndLabel& label) { return label.at.y; });
    std::vector<double> wanted;
    for (const auto& label : labels_) wanted.push_back(label.at.y);
    const auto ys = spread(wanted, kLabelHeight, kTop - 4, kBottom);
    for (size_t i = 0; i < ys.size(); ++i) {
      const auto& label = labels_[i];
      svg_.path("lead", Path().move({label.at.x + 6, label.at.y}).line({right_ + 6, ys[i]}));
      svg_.text(row_class(label.row) + " name", {right_ + 10, ys[i] + 4}, label.text);
    }
  }

  XyChart& chart_;
  Svg svg_;
  Range x_range_, y_range_;
  ShownUnit x_unit_, y_unit_;
  Scale x_, y_;
  double right_ = kWidth;
  double label_width_ = 0;
  std::vector<EndLabel> labels_;
};

bool is_drawable(const XyPoint& point) { return std::isfinite(point.x) && std::isfinite(point.y); }

}  // namespace

std::string draw(XyChart chart) {
  for (auto& line : chart.lines) std::erase_if(line.points, [](const XyPoint& point) { return !is_drawable(point); });
  return XyDrawing(chart).draw();
}

}  // namespace sluice::bench::report
