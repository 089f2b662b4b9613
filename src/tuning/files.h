// Small files of a state folder: read whole, written beside their place and moved there, so that one is whole or not
// there; the oldest go. Refuses to know what is in them. Thread: any; two processes may share a folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace sluice::tuning {

// Error: io, where nothing could be written in it.
Result<void> make_folder(const std::filesystem::path& folder);

// Absent where there is no such file. Of one that is longer, `bytes_max` and one more. Error: io.
Result<std::optional<std::string>> contents_of(const std::filesystem::path& path, size_t bytes_max);

Result<void> write_whole(const std::filesystem::path& path, const std::string& bytes);  // Error: io

// Of the files with this extension (".tuning") so many stay. What cannot be looked at or removed stays too; the next
// call tries again.
void remove_oldest(const std::filesystem::path& folder, std::string_view extension, size_t files_max);

}  // namespace sluice::tuning
