// All that a small file says, such as one of /proc. Refuses to know how large a file may be: of what comes from
// outside, that is looked at first. Thread: any.
#pragma once

#include <filesystem>
#include <string>

namespace sluice {

// Empty where it cannot be read, or its beginning: a process may end while its file in /proc is read.
std::string text_of_file(const std::filesystem::path& path);

}  // namespace sluice
