// `sluice`: which command is meant, and nothing else.
#include <cstdio>
#include <string>
#include <vector>

#include "bench/command.h"
#include "cli/run.h"
#include "cli/tune.h"
#include "cli/version.h"
#include "config/parse.h"
#include "config/suggest.h"
#include "daemon/daemon.h"
#include "daemon/machine.h"
#include "daemon/measure.h"

namespace sluice::cli {
namespace {

constexpr const char* kHelp =
    "sluice serves language models on this machine.\n"
    "\n"
    "  sluice serve [MODEL.gguf] [options]   serve a model over HTTP (OpenAI's API)\n"
    "  sluice run [MODEL.gguf] [options]     chat in the terminal\n"
    "  sluice tune [MODEL.gguf] [options]    show, redo or pin what was measured of a model here\n"
    "  sluice bench CELL... [options]        measure servers side by side\n"
    "  sluice version                        this build and its runtimes (also --version)\n"
    "  sluice help                           this text (also --help)\n"
    "\n"
    "`sluice serve --help` and so on list a command's options.\n";

int stopped(const config::Stop& stop) {
  std::fprintf(stop.code == 0 ? stdout : stderr, "%s%s", stop.text.c_str(), stop.text.ends_with('\n') ? "" : "\n");
  return stop.code;
}

int serve(std::vector<std::string> arguments) {
  const auto folder = daemon::executable_folder();
  const auto options = config::parse_serve(std::move(arguments), folder);
  if (!options) return stopped(options.error());
  return daemon::serve(*options, folder);
}

int chat(std::vector<std::string> arguments) {
  const auto options = config::parse_run(std::move(arguments));
  if (!options) return stopped(options.error());
  return run(*options, (daemon::executable_folder() / "sluice").string());
}

int tune_model(std::vector<std::string> arguments) {
  const auto folder = daemon::executable_folder();
  const auto options = config::parse_tune(std::move(arguments), folder);
  if (!options) return stopped(options.error());
  if (options->redo) {
    if (const int code = daemon::measure(options->serve, folder); code != 0) return code;
  }
  return tune(*options);
}

int measure(std::vector<std::string> arguments) {
  if (!arguments.empty() && arguments.front() == "report") {
    arguments.erase(arguments.begin());
    const auto options = config::parse_bench_report(std::move(arguments));
    return options ? bench::report(*options) : stopped(options.error());
  }
  const std::vector<std::string> words = arguments;
  const auto folder = daemon::executable_folder();
  const auto options = config::parse_bench(std::move(arguments), folder);
  if (!options) return stopped(options.error());
  daemon::raise_descriptor_limit();  // each stream is a connection
  return bench::run_bench(*options, folder, words);
}

int unknown(const std::string& command) {
  static const std::vector<std::string> known = {"serve", "run", "tune", "bench", "version", "help"};
  const auto meant = config::nearest(command, known);
  return stopped({config::kExitUsage, "sluice: unknown command '" + command + "'; " +
                                          (meant ? "did you mean " + *meant + "?" : "`sluice help` lists them")});
}

int dispatch(std::vector<std::string> words) {
  if (words.empty()) return stopped({config::kExitUsage, kHelp});
  const std::string command = words.front();
  words.erase(words.begin());
  if (command == "serve") return serve(std::move(words));
  if (command == "run") return chat(std::move(words));
  if (command == "tune") return tune_model(std::move(words));
  if (command == "bench") return measure(std::move(words));
  if (command == "version" || command == "--version") {
    return stopped({0, version_text(daemon::executable_folder())});
  }
  if (command == "help" || command == "--help" || command == "-h") return stopped({0, kHelp});
  return unknown(command);
}

}  // namespace
}  // namespace sluice::cli

int main(int argc, char** argv) { return sluice::cli::dispatch({argv + 1, argv + argc}); }
