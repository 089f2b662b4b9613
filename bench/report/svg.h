// One inline SVG picture, piece by piece. Colours and type come from the page's style by class; row N of a result has
// the class of its colour and its own marker. Coordinates are always finite. Refuses to know what is drawn. Thread: any
// one at a time. Internal to bench/report.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::bench::report {

struct Point {
  double x = 0, y = 0;
};

// What an SVG path attribute holds. Coordinates are tenths.
class Path final {
 public:
  Path& move(Point to);
  Path& line(Point to);
  Path& vertical(double by);
  Path& horizontal(double by);
  Path& move_by(double x, double y);
  bool empty() const { return text_.empty(); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

inline constexpr uint32_t kColours = 8;
std::string row_class(uint32_t row);  // "r0" .. "r7"
Path marker_of(uint32_t row, Point at, double radius);

class Svg final {
 public:
  // `label`: what the picture shows, for those who do not see it.
  Svg(double width, double height, std::string_view label);

  void line(std::string_view classes, Point from, Point to);
  void box(std::string_view classes, Point corner, double width, double height);
  void path(std::string_view classes, const Path& path, std::string_view tip = {});
  void text(std::string_view classes, Point at, std::string_view text);
  void marker(uint32_t row, Point at, std::string_view tip = {}) {
    path(row_class(row) + " m", marker_of(row, at, 4), tip);
  }
  std::string end();

 private:
  std::string out_;
};

// How wide a label is at most, about.
double width_of(std::string_view text);

}  // namespace sluice::bench::report
