// How values are spread, one strip a row: a dot each, a line from the 5th to the 95th percentile, a thick one over the
// middle half, a mark at the median. Refuses to know what is measured. Thread: any. Internal to bench/report.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::bench::report {

struct Strip {
  uint32_t row = 0;
  std::string name;
  std::vector<double> values;
  std::string missing;  // why there are none
};
std::string draw_strips(const std::string& label, const std::string& unit, std::vector<Strip> strips);

}  // namespace sluice::bench::report
