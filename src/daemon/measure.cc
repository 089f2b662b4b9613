#include "daemon/measure.h"

#include <boost/asio/io_context.hpp>
#include <cstdio>

#include "config/flags.h"
#include "daemon/machine.h"
#include "daemon/model_host.h"
#include "telemetry/log.h"

namespace sluice::daemon {
namespace {

constexpr int kFailed = 1;

void explain(const std::string& what) { std::fprintf(stderr, "sluice tune: %s\n", what.c_str()); }

// The folder first: what is measured would be lost.
Result<void> check_folder(const std::string& state_folder) {
  if (state_folder.empty())
    return fail(ErrorCode::not_found, "neither XDG_STATE_HOME nor HOME names a folder to keep it in; --state-dir does");
  return tuning::Store(std::filesystem::path(state_folder) / "tuning").prepare();
}

class Measuring final {
 public:
  Measuring(const config::ServeOptions& options, const std::string& executable)
      : host_(core_, options, executable, log_, events()) {}

  int run() {
    host_.start();
    core_.run();
    host_.stop();
    return exit_code_;
  }

 private:
  ModelHost::Events events() {
    return {.on_planned = [](const VocabularyFacts&, uint32_t) {},
            .on_serving = [this] { core_.stop(); },
            .on_failed =
                [this](const Error& cause, int exit_code) {
                  explain(exit_code == config::kExitUsage ? "--" + cause.field + ": " + cause.message : cause.message);
                  exit_code_ = exit_code;
                  core_.stop();
                },
            .on_progress = [] {}};
  }

  telemetry::Log log_{{}};
  boost::asio::io_context core_{1};
  int exit_code_ = 0;
  ModelHost host_;
};

}  // namespace

int measure(const config::ServeOptions& options, const std::filesystem::path& executable_folder) {
  ignore_broken_pipes();
  const Result<std::string> executable = worker_executable(executable_folder, options.runtime);
  if (!executable) {
    explain("--runtime: " + executable.error().message);
    return config::kExitUsage;
  }
  if (const auto folder = check_folder(options.state_folder); !folder) {
    explain("--state-dir: " + folder.error().message);
    return kFailed;
  }
  return Measuring(options, *executable).run();
}

}  // namespace sluice::daemon
