// Numbers as people read them: three significant digits, units of a sensible size, an interval with the digits of its
// median. Refuses to know what is counted. Thread: any. Internal to bench/report.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::bench::report {

// What a value is multiplied with before it is shown, and what then follows it ("ms", "GiB"; may be empty).
struct ShownUnit {
  double factor = 1;
  std::string name;
};
// For values around `typical` of a unit as results name it.
ShownUnit shown_unit(std::string_view unit, double typical);

int decimals_of(double value);  // that three significant digits take
std::string number_text(double value, int decimals);
inline std::string number_text(double value) { return number_text(value, decimals_of(value)); }
std::string setting_text(double value);  // exact: "8", "0.25", "20,480"
// "842 ms", "1.21 GiB"
std::string amount_text(double value, std::string_view unit);
// "[120, 126]", with the digits of the value that it belongs to
std::string interval_text(double low, double high, double value, const ShownUnit& unit);
std::string ratio_text(double ratio);    // "1.05×"
std::string percent_text(double share);  // "2.4 %"
std::string date_text(int64_t unix_seconds);

}  // namespace sluice::bench::report
