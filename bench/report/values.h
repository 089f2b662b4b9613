// A figure of a row as a table shows it. Refuses to know tables. Thread: any. Internal to bench/report.
#pragma once

#include <string>
#include <string_view>

#include "bench/report/number.h"
#include "bench/report/view.h"

namespace sluice::bench::report {

// One unit for all rows and variants of a family, so that numbers of a table can be compared.
ShownUnit unit_of(const Family& family, std::string_view figure);
std::string direction_of(const Family& family, std::string_view figure);  // "higher is better"
// "tokens per second, all streams, tok/s · higher is better"
std::string figure_heading(const Family& family, std::string_view figure, const ShownUnit& unit);
// The figure that every variant of a family is compared by; empty where they differ.
std::string_view common_primary(const Family& family);
// "123 [120, 126]"
std::string value_text(const Summary& summary, const ShownUnit& unit);
// "▲ 1.05×", or "reference" for the first row
std::string ratio_words(const Summary& summary);

}  // namespace sluice::bench::report
