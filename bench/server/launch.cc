#include "bench/server/launch.h"

#include <fmt/format.h>

#include "base/check.h"

namespace sluice::bench {
namespace {

struct Wanted {
  std::string program, model;
  uint32_t lanes, context, threads;
  uint16_t port;
};

Wanted wanted_of(const config::BenchStart& start, const config::BenchOptions& options, uint16_t port) {
  return {start.program,
          start.model.empty() ? options.model_path : start.model,
          start.lanes.value_or(options.lanes),
          start.context.value_or(options.context.value_or(kContextDefault)),
          start.threads.value_or(options.threads),
          port};
}

std::string program_or(const Wanted& wanted, const std::filesystem::path& known) {
  return wanted.program.empty() ? known.string() : wanted.program;
}

std::vector<std::string> sluice_argv(const Wanted& w, const Places& places) {
  std::vector<std::string> argv = {program_or(w, places.programs / "sluice"),
                                   "serve",
                                   w.model,
                                   "--port",
                                   fmt::to_string(w.port),
                                   "--lanes",
                                   fmt::to_string(w.lanes),
                                   "--context",
                                   fmt::to_string(w.context)};
  if (w.threads > 0) argv.insert(argv.end(), {"--threads", fmt::to_string(w.threads)});
  return argv;
}

std::vector<std::string> llama_server_argv(const Wanted& w, const Places& places) {
  std::vector<std::string> argv = {program_or(w, places.programs / "llama-server"),
                                   "-m",
                                   w.model,
                                   "--host",
                                   "127.0.0.1",
                                   "--port",
                                   fmt::to_string(w.port),
                                   "-np",
                                   fmt::to_string(w.lanes),
                                   "-c",
                                   fmt::to_string(uint64_t{w.lanes} * w.context)};
  if (w.threads > 0) argv.insert(argv.end(), {"-t", fmt::to_string(w.threads)});
  return argv;
}

std::vector<std::string> script_argv(Kind kind, const Wanted& w, const Places& places) {
  return {program_or(w, places.peers / fmt::format("start-{}.sh", name_of(kind))),
          w.model,
          fmt::to_string(w.port),
          fmt::to_string(w.lanes),
          fmt::to_string(w.context),
          fmt::to_string(w.threads)};
}

std::string filled(std::string word, const Wanted& w) {
  for (const auto& [place, value] : {std::pair<std::string, std::string>{"{port}", fmt::to_string(w.port)},
                                     {"{model}", w.model},
                                     {"{lanes}", fmt::to_string(w.lanes)},
                                     {"{context}", fmt::to_string(w.context)},
                                     {"{threads}", fmt::to_string(w.threads)}}) {
    for (size_t at = word.find(place); at != std::string::npos; at = word.find(place, at + value.size())) {
      word.replace(at, place.size(), value);
    }
  }
  return word;
}

}  // namespace

Places places_from(const std::filesystem::path& executable_folder) {
  return {executable_folder, executable_folder.parent_path().parent_path() / "bench" / "peers"};
}

Result<Launch> plan_launch(const config::BenchStart& start, const config::BenchOptions& options, const Places& places,
                           uint16_t port) {
  const auto kind = kind_named(start.kind);
  if (!kind) {
    return fail(ErrorCode::invalid, fmt::format("'{}' is no kind of server; there are {}", start.kind, kind_names()),
                "--start");
  }
  const Wanted wanted = wanted_of(start, options, port);
  Launch launch{*kind, start.name,   wanted.model,  {}, start.environment, start.ready_path,
                {},    wanted.lanes, wanted.context};
  if (launch.ready_path.empty()) launch.ready_path = dialect_of(*kind).ready_path;
  switch (*kind) {
    case Kind::sluice:
      launch.argv = sluice_argv(wanted, places);
      launch.version_argv = {launch.argv.front(), "--version"};
      break;
    case Kind::llama_server:
      launch.argv = llama_server_argv(wanted, places);
      launch.version_argv = {launch.argv.front(), "--version"};
      break;
    case Kind::superfluid:
    case Kind::mlx_lm:
    case Kind::ollama:
      launch.argv = script_argv(*kind, wanted, places);
      launch.version_argv = {launch.argv.front(), "--version"};
      break;
    case Kind::command:
      if (start.program.empty()) {
        return fail(ErrorCode::invalid, start.name + ": a command needs program=PATH", "--start");
      }
      launch.argv = {start.program};
      break;
    case Kind::url: UNREACHABLE();
  }
  for (const std::string& argument : start.arguments) launch.argv.push_back(filled(argument, wanted));
  return launch;
}

}  // namespace sluice::bench
