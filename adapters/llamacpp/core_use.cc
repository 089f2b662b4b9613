#include "adapters/llamacpp/core_use.h"

#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "base/cpu_ticks.h"
#include "base/file_text.h"

namespace sluice::llamacpp {
namespace {

using namespace std::chrono_literals;

constexpr Duration kWindowMin = 250ms;  // the kernel counts in ticks of 10 ms

std::set<int> own_cores() {
  std::set<int> cores;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.insert(core);
  }
  return cores;
}

Duration own_time() {
  timespec spent{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
  return std::chrono::seconds(spent.tv_sec) + std::chrono::nanoseconds(spent.tv_nsec);
}

// "cpu0 user nice system idle iowait irq softirq steal ...", without its first three letters. The line of all cores has
// no number there.
uint64_t ticks_in(std::string_view line, const std::set<int>& cores) {
  int core = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), core);
  if (error != std::errc{} || !cores.contains(core)) return 0;
  return busy_ticks_of(line.substr(static_cast<size_t>(end - line.data()))).value_or(0);
}

}  // namespace

uint64_t busy_ticks(std::string_view stat, const std::set<int>& cores) {
  constexpr std::string_view kLabel = "cpu";
  uint64_t ticks = 0;
  while (stat.starts_with(kLabel)) {
    const size_t end = std::min(stat.find('\n'), stat.size());
    ticks += ticks_in(stat.substr(kLabel.size(), end - kLabel.size()), cores);
    stat.remove_prefix(std::min(end + 1, stat.size()));
  }
  return ticks;
}

CoreUse::CoreUse() : cores_(own_cores()) {}

CoreUse::Reading CoreUse::read(TimePoint now) const {
  return {now, busy_ticks(text_of_file("/proc/stat"), cores_), own_time()};
}

std::optional<CoreUse::Window> CoreUse::window(TimePoint now) {
  if (last_ && now - last_->at < kWindowMin) return std::nullopt;
  const Reading reading = read(now);
  const std::optional<Reading> before = std::exchange(last_, reading);
  if (!before) return std::nullopt;
  const double tick_seconds = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
  const Duration busy = from_us(1e6 * tick_seconds * static_cast<double>(reading.busy_ticks - before->busy_ticks));
  const Duration own = reading.own - before->own;
  return Window{now - before->at, own, std::max(Duration{}, busy - own)};
}

}  // namespace sluice::llamacpp
