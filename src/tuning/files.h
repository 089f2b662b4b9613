// Small files of a state folder: read whole, written beside their place and moved there, so that one is whole or not
// there; the oldest go. Refuses to know what is in them. Thread: any; two processes may share a folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/error.h"

namespace sluice::tuning {

// Error: io, where nothing could be written in it.
Result<void> make_folder(const std::filesystem::path& folder);

// Absent where there is no such file. Of one that is longer, `bytes_max` and one more. Error: io.
Result<std::optional<std::string>> contents_of(const std::filesystem::path& path, size_t bytes_max);

Result<void> write_whole(const std::filesystem::path& path, const std::string& bytes);  // Error: io

// Makes the folder too. Where the file is new, `files_max` of its extension stay. What cannot be looked at or removed
// stays as well; the next new one tries again. Error: io.
Result<void> keep_whole(const std::filesystem::path& path, const std::string& bytes, size_t files_max);

}  // namespace sluice::tuning
