// How a kind of server is started: its argv, and where it says that it is ready. Equal context for each lane of all.
// Refuses to start anything. Pure. Thread: any.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "bench/load/dialect.h"
#include "config/bench_options.h"

namespace sluice::bench {

inline constexpr uint32_t kContextDefault = 4096;  // of a lane

struct Launch {
  Kind kind = Kind::command;
  std::string name = {};
  std::string model = {};  // its file
  std::vector<std::string> argv = {};
  std::vector<std::pair<std::string, std::string>> environment = {};
  std::string ready_path = {};
  std::vector<std::string> version_argv = {};  // prints its version; empty: nobody knows how
  uint32_t lanes = 0, context = 0;             // of a lane
};

// Where programs lie: our own beside this one, llama-server too (`make llama-server`), the other peers' scripts in the
// checkout around it.
struct Places {
  std::filesystem::path programs, peers;
};
Places places_from(const std::filesystem::path& executable_folder);

// "{port}" in a command's words becomes the port, "{model}" the model. Error: invalid.
Result<Launch> plan_launch(const config::BenchStart& start, const config::BenchOptions& options, const Places& places,
                           uint16_t port);

}  // namespace sluice::bench
