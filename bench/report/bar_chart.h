// One bar a row with its interval, the row's name and value written above it. Refuses to know what is measured.
// Thread: any. Internal to bench/report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::bench::report {

struct Bar {
  uint32_t row = 0;
  std::string name;
  std::optional<double> value, low, high;
  std::string words;  // the value, or why there is none
};
// The longest bar fills the width, or `full` does where that is more: then as a pale track behind each.
std::string draw_bars(const std::string& label, const std::vector<Bar>& bars, double full = 0);

}  // namespace sluice::bench::report
