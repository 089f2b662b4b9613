#include "bench/report/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

namespace sluice::bench::report {
namespace {

constexpr double kGroupedFrom = 10000;  // 9876, but 12,345
constexpr double kSecondsFrom = 10000;  // ms

ShownUnit bytes_unit(double typical) {
  constexpr std::array<std::string_view, 5> names = {"B", "KiB", "MiB", "GiB", "TiB"};
  ShownUnit unit{1, "B"};
  for (size_t i = 0; i < names.size() && std::abs(typical) * unit.factor >= (i == 0 ? 0 : 1024); ++i) {
    if (i > 0) unit.factor /= 1024;
    unit.name = names[i];
  }
  return unit;
}

void group_thousands(std::string& digits) {
  const size_t end = std::min(digits.find('.'), digits.size());
  const size_t begin = digits[0] == '-' ? 1 : 0;
  for (size_t at = end; at > begin + 3;) digits.insert(at -= 3, 1, ',');
}

}  // namespace

ShownUnit shown_unit(std::string_view unit, double typical) {
  if (unit == "B") return bytes_unit(typical);
  if (unit == "ms" && std::abs(typical) >= kSecondsFrom) return {0.001, "s"};
  if (unit == "B/s") return {1e-9, "GB/s"};
  return {1, std::string(unit)};
}

int decimals_of(double value) {
  const double size = std::abs(value);
  if (!std::isfinite(value) || size == 0 || size >= 100) return 0;
  return std::clamp(2 - static_cast<int>(std::floor(std::log10(size))), 0, 4);
}

std::string number_text(double value, int decimals) {
  if (!std::isfinite(value)) return "–";
  std::string digits = fmt::format("{:.{}f}", value, decimals);
  if (std::abs(value) >= kGroupedFrom) group_thousands(digits);
  return digits;
}

std::string setting_text(double value) {
  const bool whole = std::abs(value) < 1e15 && std::trunc(value) == value;
  return whole ? number_text(value, 0) : fmt::format("{:.4g}", value);
}

std::string amount_text(double value, std::string_view unit) {
  const ShownUnit shown = shown_unit(unit, value);
  const std::string number = number_text(value * shown.factor);
  return shown.name.empty() ? number : fmt::format("{}\u00A0{}", number, shown.name);
}

std::string interval_text(double low, double high, double value, const ShownUnit& unit) {
  const int decimals = decimals_of(value * unit.factor);
  return fmt::format("[{}, {}]", number_text(low * unit.factor, decimals), number_text(high * unit.factor, decimals));
}

std::string ratio_text(double ratio) {
  if (!std::isfinite(ratio)) return "–";
  return fmt::format("{}×", number_text(ratio, std::abs(ratio) < 10 ? 2 : decimals_of(ratio)));
}

std::string percent_text(double share) {
  if (!std::isfinite(share)) return "–";
  return fmt::format("{}\u00A0%", number_text(share * 100, std::abs(share) < 0.1 ? 1 : 0));
}

std::string date_text(int64_t unix_seconds) {
  constexpr int64_t year_9999 = 253402300799;
  if (unix_seconds <= 0 || unix_seconds > year_9999) return "date unknown";
  const std::chrono::sys_seconds time{std::chrono::seconds(unix_seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02} UTC", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count());
}

}  // namespace sluice::bench::report
