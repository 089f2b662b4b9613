// Which build this is. A child process says it in its Hello, and the daemon takes children of its own build only.
// Thread: any.
#pragma once

#include <string>

namespace sluice {

std::string build_id();  // commit and build type: "bdfa758c0ffe/Release"

}  // namespace sluice
