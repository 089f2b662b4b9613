#include "bench/machine/cpu_time.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "base/cpu_ticks.h"

namespace sluice::bench {
namespace {

double cpu_seconds_of(int who) {
  rusage usage{};
  getrusage(who, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

uint64_t busy_ticks() {
  std::ifstream file("/proc/stat");
  std::string line;
  std::getline(file, line);
  return parse_busy_ticks(line).value_or(0);
}

}  // namespace

std::optional<uint64_t> parse_busy_ticks(std::string_view stat) {
  constexpr std::string_view kAllCores = "cpu ";
  if (!stat.starts_with(kAllCores)) return std::nullopt;
  return busy_ticks_of(stat.substr(kAllCores.size()));
}

CpuWatch::CpuWatch(std::optional<pid_t> server) : server_(server), begun_(read()) {}

CpuWatch::Reading CpuWatch::read() const {
  Reading reading;
  if (server_) {
    const ProcessTable table = read_processes();
    reading.server = table.ticks_of(table.tree_of(*server_));
  }
  reading.busy = busy_ticks();
  reading.bench_seconds = cpu_seconds_of(RUSAGE_SELF);
  reading.children_seconds = cpu_seconds_of(RUSAGE_CHILDREN);
  reading.at = Clock::now();
  return reading;
}

CpuShares CpuWatch::finish() const {
  const Reading now = read();
  const double wall = std::max(1e-3, to_seconds(now.at - begun_.at));
  const double tick = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
  const auto share = [&](uint64_t after, uint64_t before) {
    return after > before ? static_cast<double>(after - before) * tick / wall : 0;
  };
  CpuShares shares;
  shares.server = share(now.server, begun_.server);
  shares.bench = (now.bench_seconds - begun_.bench_seconds) / wall;
  const double children = (now.children_seconds - begun_.children_seconds) / wall;
  shares.others = std::max(0.0, share(now.busy, begun_.busy) - shares.server - shares.bench - children);
  return shares;
}

}  // namespace sluice::bench
