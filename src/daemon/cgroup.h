// How much memory the control groups we run in leave us: in a container that, and not the machine's memory, is what
// there is. Reads files; decides nothing. Refuses to know models. Thread: any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace sluice::daemon {

// The least that is left in our group and in those around it; file pages that can be dropped are not counted as used.
// Absent where no group has a limit. `root` is /sys/fs/cgroup, `self` the text of /proc/self/cgroup; version 1 and 2.
std::optional<uint64_t> cgroup_memory_left(const std::filesystem::path& root, std::string_view self);

}  // namespace sluice::daemon
