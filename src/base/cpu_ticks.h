// What counts as computing in /proc/stat: processes and what the hypervisor took; interrupts and idling are nobody's.
// Refuses to know which cores matter. Thread: any.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice {

// Of the numbers of one line, after its "cpu" or "cpu0". Absent where they are not all there.
std::optional<uint64_t> busy_ticks_of(std::string_view numbers);

}  // namespace sluice
