// Where what outlives a daemon is kept. Refuses to know what that is. Thread: any.
#pragma once

#include <string>

namespace sluice::config {

// As the XDG base directories have it; empty where neither variable names a folder. What is not absolute counts as not
// set.
std::string state_folder_of(const char* xdg_state_home, const char* home);
std::string default_state_folder();  // of this process's environment

}  // namespace sluice::config
