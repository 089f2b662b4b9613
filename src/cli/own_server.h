// A `sluice serve` of the command's own: on a port the system chooses, quiet, and gone with it. Refuses to know what is
// asked of it. Thread: the one that started it.
#pragma once

#include <optional>
#include <string>

#include "base/error.h"
#include "cli/child.h"
#include "config/run_options.h"

namespace sluice::cli {

// "http://127.0.0.1:1234" from the line a server prints when it is ready.
std::optional<std::string> url_in(const std::string& line);

class OwnServer final {
 public:
  // Waits until it is ready. Error: it ended before; its own stderr has told why, `exit_code` is its.
  static Result<OwnServer> start(const std::string& executable, const config::RunOptions& options, int& exit_code);
  const std::string& url() const { return url_; }
  int end() { return child_.end(); }

 private:
  OwnServer(Child child, std::string url) : child_(std::move(child)), url_(std::move(url)) {}
  Child child_;
  std::string url_;
};

}  // namespace sluice::cli
