#include "config/state_folder.h"

#include <cstdlib>

namespace sluice::config {
namespace {

bool is_absolute(const char* path) { return path != nullptr && path[0] == '/'; }

}  // namespace

std::string state_folder_of(const char* xdg_state_home, const char* home) {
  if (is_absolute(xdg_state_home)) return std::string(xdg_state_home) + "/sluice";
  if (is_absolute(home)) return std::string(home) + "/.local/state/sluice";
  return {};
}

std::string default_state_folder() { return state_folder_of(std::getenv("XDG_STATE_HOME"), std::getenv("HOME")); }

}  // namespace sluice::config
