#include "base/cpu_ticks.h"

#include <algorithm>
#include <charconv>

namespace sluice {

std::optional<uint64_t> busy_ticks_of(std::string_view numbers) {
  enum { user, nice, system, idle, iowait, irq, softirq, steal, kFields };
  uint64_t ticks[kFields];
  for (uint64_t& field : ticks) {
    numbers.remove_prefix(std::min(numbers.find_first_not_of(' '), numbers.size()));
    const auto [end, error] = std::from_chars(numbers.data(), numbers.data() + numbers.size(), field);
    if (error != std::errc{}) return std::nullopt;
    numbers.remove_prefix(static_cast<size_t>(end - numbers.data()));
  }
  return ticks[user] + ticks[nice] + ticks[system] + ticks[steal];
}

}  // namespace sluice
