// Where labels stand that want to be at the same place: apart, and as close to it as they can. Refuses to know text.
// Thread: any. Internal to bench/report.
#pragma once

#include <vector>

namespace sluice::bench::report {

// `wanted` is in order, and so is what comes back: at least `gap` apart, within `low` and `high` where all fit there.
std::vector<double> spread(const std::vector<double>& wanted, double gap, double low, double high);

}  // namespace sluice::bench::report
