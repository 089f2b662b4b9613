// The processes of this machine, at one moment: who is whose child, how long each has computed, how much memory it
// holds. Refuses to know which of them matter. Thread: any.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace sluice::bench {

struct ProcessFacts {
  pid_t parent = 0;
  uint64_t ticks = 0;  // user and system, its own and of its children that have ended and were waited for
};

struct ProcessTable {
  std::map<pid_t, ProcessFacts> processes;
  std::set<pid_t> tree_of(pid_t root) const;  // root and its descendants
  uint64_t ticks_of(const std::set<pid_t>& pids) const;
};

std::optional<ProcessFacts> parse_process_stat(std::string_view stat);  // of /proc/PID/stat
ProcessTable read_processes();

// Anonymous and shared memory of each, and file pages once: the process with most of them has them all, where several
// map one model. From /proc/PID/status.
uint64_t resident_bytes_of(const std::set<pid_t>& pids);

// Who listens on a local TCP port; absent where that cannot be seen.
std::optional<pid_t> listener_of(uint16_t port);

}  // namespace sluice::bench
