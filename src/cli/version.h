// What `sluice --version` prints: this build, and each runtime beside it by its own word. Refuses to know runtimes.
// Thread: main.
#pragma once

#include <filesystem>
#include <string>

namespace sluice::cli {

std::string version_text(const std::filesystem::path& executable_folder);

}  // namespace sluice::cli
