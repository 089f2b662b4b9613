// What the daemon asks of the machine it runs on: memory, its own files, limits of its process. Thin: nothing here
// decides. Refuses to know models and requests. Thread: core.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace sluice::daemon {

// MemAvailable of /proc/meminfo: what programs may take without swapping.
std::optional<uint64_t> parse_memory_available(std::string_view meminfo);
Result<uint64_t> memory_available();  // of the machine, less where our control group leaves less

uint64_t own_resident_bytes();

// The folder of the running executable; sluice-worker-* lie beside it.
std::filesystem::path executable_folder();
// Error: it is not there, or may not be run.
Result<std::string> worker_executable(const std::filesystem::path& folder, const std::string& runtime);

void name_this_thread(const char* name);  // at most 15 characters
void raise_descriptor_limit();            // to what the system allows: each connection is one
void ignore_broken_pipes();               // a reader that left is an error of its write, not our end

int64_t modification_time(const std::string& path);  // Unix seconds; 0 where unknown

}  // namespace sluice::daemon
