// Who computed while something was measured: the server's processes, this one, and all others. What a hypervisor took
// counts as others'. Refuses to judge. Thread: one at a time.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string_view>

#include "base/time.h"
#include "bench/machine/processes.h"

namespace sluice::bench {

// Shares of one core.
struct CpuShares {
  double server = 0, bench = 0, others = 0;
};

// Ticks that any process or the hypervisor used, of /proc/stat; not those of interrupts, which our own traffic causes.
std::optional<uint64_t> parse_busy_ticks(std::string_view stat);

// From its construction to finish(). `server` is the root of its process tree. Children of ours that came and went
// meanwhile, a competing process or a second server, are a part of the measurement and nobody's share.
class CpuWatch final {
 public:
  explicit CpuWatch(std::optional<pid_t> server);
  CpuShares finish() const;

 private:
  struct Reading {
    TimePoint at;
    uint64_t busy = 0, server = 0;
    double bench_seconds = 0, children_seconds = 0;
  };
  Reading read() const;

  std::optional<pid_t> server_;
  Reading begun_;
};

}  // namespace sluice::bench
