#include "cli/own_server.h"

#include <fmt/format.h>

#include <vector>

namespace sluice::cli {

std::optional<std::string> url_in(const std::string& line) {
  constexpr std::string_view kBefore = "listening on ";
  if (!line.starts_with(kBefore)) return std::nullopt;
  const size_t end = std::min(line.find(' ', kBefore.size()), line.size());
  return line.substr(kBefore.size(), end - kBefore.size());
}

Result<OwnServer> OwnServer::start(const std::string& executable, const config::RunOptions& options, int& exit_code) {
  std::vector<std::string> arguments = {executable, "serve",           "--port", "0",         "--log-level",
                                        "error",    "--drain-seconds", "0",      "--runtime", options.runtime};
  if (!options.model.empty()) arguments.push_back(options.model);
  Result<Child> child = Child::start(std::move(arguments));
  if (!child) return std::unexpected(std::move(child.error()));
  const std::optional<std::string> line = child->read_line();
  if (const std::optional<std::string> url = line ? url_in(*line) : std::nullopt) {
    return OwnServer(std::move(*child), *url);
  }
  exit_code = child->end();
  return fail(ErrorCode::unavailable, fmt::format("the server ended with exit code {} before it was ready", exit_code));
}

}  // namespace sluice::cli
