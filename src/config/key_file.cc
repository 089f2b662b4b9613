#include "config/key_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace sluice::config {
namespace {

std::string trimmed(const std::string& line) {
  constexpr const char* kBlank = " \t\r";
  const size_t first = line.find_first_not_of(kBlank);
  if (first == std::string::npos) return {};
  return line.substr(first, line.find_last_not_of(kBlank) - first + 1);
}

}  // namespace

Result<std::vector<std::string>> read_key_file(const std::string& path) {
  errno = 0;
  std::ifstream file(path);
  std::vector<std::string> keys;
  std::string line;
  while (std::getline(file, line)) {
    const std::string key = trimmed(line);
    if (!key.empty() && key.front() != '#') keys.push_back(key);
  }
  if (!file.is_open() || file.bad()) {
    return fail(ErrorCode::invalid, "'" + path + "' cannot be read (" + std::strerror(errno) + ")", "--api-key-file");
  }
  if (keys.empty()) {
    return fail(ErrorCode::invalid, "'" + path + "' holds no key; write one a line", "--api-key-file");
  }
  return keys;
}

}  // namespace sluice::config
