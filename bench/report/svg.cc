#include "bench/report/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/report/text.h"

namespace sluice::bench::report {
namespace {

constexpr double kFarthest = 100000;
constexpr double kCharacterWidth = 7.8;  // of a bold label in the widest of the usual fonts

// Tenths, without a needless ".0" or "-0".
std::string coordinate(double value) {
  const double bounded = std::isfinite(value) ? std::clamp(value, -kFarthest, kFarthest) : 0;
  const auto tenths = static_cast<long>(std::lround(bounded * 10));
  if (tenths % 10 == 0) return fmt::format("{}", tenths / 10);
  return fmt::format("{}{}.{}", tenths < 0 ? "-" : "", std::abs(tenths) / 10, std::abs(tenths) % 10);
}

}  // namespace

Path& Path::move(Point to) {
  text_ += fmt::format("M{} {}", coordinate(to.x), coordinate(to.y));
  return *this;
}

Path& Path::line(Point to) {
  text_ += fmt::format("L{} {}", coordinate(to.x), coordinate(to.y));
  return *this;
}

Path& Path::vertical(double by) {
  text_ += fmt::format("v{}", coordinate(by));
  return *this;
}

Path& Path::horizontal(double by) {
  text_ += fmt::format("h{}", coordinate(by));
  return *this;
}

Path& Path::move_by(double x, double y) {
  text_ += fmt::format("m{} {}", coordinate(x), coordinate(y));
  return *this;
}

std::string row_class(uint32_t row) { return fmt::format("r{}", row % kColours); }

// Rows that share a colour differ in their marker, too.
Path marker_of(uint32_t row, Point at, double radius) {
  const double r = radius;
  switch ((row + row / kColours) % 5) {
    case 1:
      return Path()
          .move({at.x - r * 0.85, at.y - r * 0.85})
          .horizontal(r * 1.7)
          .vertical(r * 1.7)
          .horizontal(-r * 1.7)
          .line({at.x - r * 0.85, at.y - r * 0.85});
    case 2:
      return Path()
          .move({at.x, at.y - r * 1.15})
          .line({at.x + r * 1.1, at.y + r * 0.85})
          .line({at.x - r * 1.1, at.y + r * 0.85})
          .line({at.x, at.y - r * 1.15});
    case 3:
      return Path()
          .move({at.x, at.y - r * 1.25})
          .line({at.x + r * 1.25, at.y})
          .line({at.x, at.y + r * 1.25})
          .line({at.x - r * 1.25, at.y})
          .line({at.x, at.y - r * 1.25});
    case 4:
      return Path()
          .move({at.x, at.y + r * 1.15})
          .line({at.x + r * 1.1, at.y - r * 0.85})
          .line({at.x - r * 1.1, at.y - r * 0.85})
          .line({at.x, at.y + r * 1.15});
    default: break;
  }
  Path circle;  // an octagon is round enough at this size
  for (int corner = 0; corner <= 12; ++corner) {
    const double angle = corner * 3.14159265358979 / 6;
    const Point to{at.x + r * std::cos(angle), at.y + r * std::sin(angle)};
    corner == 0 ? circle.move(to) : circle.line(to);
  }
  return circle;
}

Svg::Svg(double width, double height, std::string_view label) {
  out_ = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">", coordinate(width),
                     coordinate(height), escaped(label));
}

void Svg::line(std::string_view classes, Point from, Point to) { path(classes, Path().move(from).line(to)); }

void Svg::box(std::string_view classes, Point corner, double width, double height) {
  out_ +=
      fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", classes, coordinate(corner.x),
                  coordinate(corner.y), coordinate(std::max(width, 0.0)), coordinate(std::max(height, 0.0)));
}

void Svg::path(std::string_view classes, const Path& path, std::string_view tip) {
  if (path.empty()) return;
  out_ += fmt::format("<path class=\"{}\" d=\"{}\"", classes, path.text());
  out_ += tip.empty() ? std::string("/>") : fmt::format("><title>{}</title></path>", escaped(tip));
}

void Svg::text(std::string_view classes, Point at, std::string_view text) {
  out_ += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>", classes, coordinate(at.x), coordinate(at.y),
                      escaped(text));
}

std::string Svg::end() { return std::move(out_) + "</svg>"; }

double width_of(std::string_view text) { return kCharacterWidth * static_cast<double>(character_count(text)); }

}  // namespace sluice::bench::report
