// The page's style: light and dark, screen and paper. Refuses to know content. Thread: any. Internal to bench/report.
#pragma once

#include <string_view>

namespace sluice::bench::report {

std::string_view page_style();

}  // namespace sluice::bench::report
