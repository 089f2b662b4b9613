// Lines over a common x: rates by level with their intervals, memory over time. Every line is labelled at its end.
// Refuses to know what x and y are. Thread: any. Internal to bench/report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::bench::report {

struct XyPoint {
  double x = 0, y = 0;
  std::optional<double> low, high;  // an interval of y
  std::string tip;
};

struct XyLine {
  uint32_t row = 0;
  std::string name;
  std::vector<XyPoint> points;  // by x
};

struct XyChart {
  std::string label;           // for those who do not see it
  std::string x_name, x_unit;  // units as in results
  std::string y_unit;
  bool measured_at_points = false;  // x are few settings: each has a mark, and each point a marker
  std::vector<XyLine> lines;
};
std::string draw(XyChart chart);  // empty where there is no point

}  // namespace sluice::bench::report
