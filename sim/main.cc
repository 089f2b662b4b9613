// `sluice-sim`: which seeds, and what is shown of them. Exits 1 at the first seed that fails.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "sim/plan_time.h"
#include "sim/simulation.h"
#include "sim/summary.h"

namespace sluice::sim {
namespace {

struct Options {
  std::string seeds = "1-1000";
  std::optional<uint64_t> seed;
  bool trace = false, plan_time = false, scenario = false, all = false;
  uint64_t steps = 1'000'000;
};

char running[96];  // what a CHECK that fails in the middle of a seed leaves behind

void on_abort(int) {
  const auto written = write(STDERR_FILENO, running, std::strlen(running));
  (void)written;
}

std::optional<std::pair<uint64_t, uint64_t>> range_of(const std::string& text) {
  uint64_t from = 0, to = 0;
  char end = 0;
  if (std::sscanf(text.c_str(), "%lu-%lu%c", &from, &to, &end) != 2 || from > to) return std::nullopt;
  return std::pair(from, to);
}

std::string replay(uint64_t seed) { return "replay: sluice-sim --seed " + std::to_string(seed) + " --trace"; }

bool run(uint64_t seed, const Options& options, Summary& summary) {
  std::snprintf(running, sizeof running, "seed %lu failed\n%s\n", seed, replay(seed).c_str());
  const Scenario scenario = scenario_of(seed);
  if (options.trace || options.scenario) std::cout << description_of(scenario);
  if (options.scenario) return true;
  Simulation simulation(scenario, options.trace ? &std::cout : nullptr);
  const auto failing = simulation.run(options.steps);
  summary.add(scenario, simulation.figures());
  if (!failing) return true;
  std::cout << "seed " << seed << " failed: " << failing->check << "\n  " << failing->what << "\n";
  if (!options.all) std::cout << description_of(scenario) << replay(seed) << "\n";
  return false;
}

int run_all(const Options& options) {
  Summary summary;
  uint64_t failed = 0;
  const auto range = options.seed ? std::pair(*options.seed, *options.seed) : range_of(options.seeds);
  if (!range) {
    std::cerr << "--seeds takes FROM-TO\n";
    return 2;
  }
  for (uint64_t seed = range->first; seed <= range->second; ++seed) {
    if (run(seed, options, summary)) continue;
    ++failed;
    if (!options.all) return 1;
  }
  if (!options.scenario) std::cout << summary.text();
  if (failed > 0) std::cout << failed << " seeds failed\n";
  return failed > 0 ? 1 : 0;
}

int main_of(int argc, char** argv) {
  Options options;
  CLI::App app("Runs the engine against clients, a machine and faults that a seed makes up, and checks what it does.");
  app.add_option("--seeds", options.seeds, "FROM-TO: stops at the first that fails");
  app.add_option("--seed", options.seed, "this one alone");
  app.add_flag("--all", options.all, "goes on after a seed that failed");
  app.add_flag("--trace", options.trace, "shows every step");
  app.add_flag("--scenario", options.scenario, "shows what the seed makes up, and runs nothing");
  app.add_option("--steps", options.steps, "of a seed, at most; what did not end until then is not checked");
  app.add_flag("--plan-time", options.plan_time, "measures how long a plan takes with 64 lanes and 1,000 waiting");
  CLI11_PARSE(app, argc, argv);
  std::signal(SIGABRT, on_abort);
  if (options.plan_time) {
    std::cout << plan_time_text();
    return 0;
  }
  return run_all(options);
}

}  // namespace
}  // namespace sluice::sim

int main(int argc, char** argv) { return sluice::sim::main_of(argc, argv); }
