#include "cli/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <vector>

#include "base/version.h"
#include "cli/child.h"

namespace sluice::cli {
namespace {

std::vector<std::filesystem::path> workers_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> workers;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().filename().string().starts_with("sluice-worker-")) workers.push_back(entry.path());
  }
  std::ranges::sort(workers);
  return workers;
}

std::string said_by(const std::filesystem::path& worker) {
  Result<Child> child = Child::start({worker.string(), "--version"});
  if (!child) return worker.string() + ": " + child.error().message + "\n";
  std::string text = child->read_all();
  const int code = child->wait();
  return code == 0 ? text : fmt::format("{} --version ended with exit code {}\n", worker.string(), code);
}

}  // namespace

std::string version_text(const std::filesystem::path& executable_folder) {
  const std::string sanitizers = *kSanitizers ? fmt::format(", sanitizers {}", kSanitizers) : "";
  std::string text =
      fmt::format("sluice {} (commit {}, {}{}, g++ {})\n", kVersion, kCommit, kBuildType, sanitizers, __VERSION__);
  const std::vector<std::filesystem::path> workers = workers_in(executable_folder);
  for (const std::filesystem::path& worker : workers) text += said_by(worker);
  if (workers.empty()) text += fmt::format("no sluice-worker-* in {}\n", executable_folder.string());
  return text;
}

}  // namespace sluice::cli
