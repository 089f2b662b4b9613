// For tests with a worker process: a WorkerClient whose events are written down.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/build.h"
#include "supervisor/test_loop.h"
#include "supervisor/worker_client.h"

namespace sluice::supervisor {

class WorkerTest : public testing::Test {
 protected:
  WorkerClient::Options options_of(const std::string& script) {
    using namespace std::chrono_literals;
    WorkerClient::Options options;
    options.executable = programs.path_of(script);
    options.load.model_path = "/models/m.gguf";
    options.load.lanes = 4;
    options.load.window = 512;
    options.expected_build = build_id();
    options.timing.backoff.min = 1ms;
    options.timing.backoff.max = 2ms;
    options.on_stderr_line = [this](std::string_view line) { lines.emplace_back(line); };
    return options;
  }
  WorkerClient::Events events() {
    return {.on_facts =
                [this](auto facts) {
                  for (auto& [id, fact] : facts) told.emplace_back(id.raw, words_of(fact));
                },
            .on_state = [this](WorkerState state) { states.emplace_back(name_of(state)); },
            .on_lost =
                [this](Error death) {
                  states.emplace_back("lost");
                  deaths.push_back(std::move(death));
                },
            .on_loading = [this](float progress) { loading.push_back(progress); },
            .on_costs = [this](const Costs& costs) { learned.push_back(costs); }};
  }
  void start(WorkerClient::Options options) {
    client = std::make_unique<WorkerClient>(loop.core, std::move(options), events());
    client->start();
    EXPECT_TRUE(states.empty()) << "called back from within";
  }
  bool run_until_state(const std::string& name, int times = 1) {
    return loop.run_until([&] { return std::ranges::count(states, name) >= times; });
  }
  bool start_ready(const std::string& script) {
    start(options_of(script));
    return run_until_state("ready");
  }
  void submit(uint64_t id, Token token, uint32_t max_tokens) {
    GenerationSpec spec;
    spec.prompt = {token};
    spec.max_tokens = max_tokens;
    client->submit(GenerationId{id}, spec);
  }
  bool run_until_told(uint64_t id, const std::string& fact) {
    return loop.run_until([&] { return std::ranges::count(told, std::pair(id, fact)) > 0; });
  }
  bool run_until_line(const std::string& line) {
    return loop.run_until([&] { return std::ranges::count(lines, line) > 0; });
  }
  static std::string words_of(const proto::GenerationFact& fact) {
    if (std::holds_alternative<Accepted>(fact)) return "accepted";
    if (std::holds_alternative<Started>(fact)) return "started";
    if (const auto* output = std::get_if<Output>(&fact)) {
      return "output " + (output->tokens.empty() ? "" : std::to_string(output->tokens[0]));
    }
    if (std::holds_alternative<Finished>(fact)) return "finished";
    return "failed " + std::string(name_of(std::get<Failed>(fact).error.code));
  }

  TestLoop loop;
  TestPrograms programs;
  std::unique_ptr<WorkerClient> client;
  std::vector<std::pair<uint64_t, std::string>> told;
  std::vector<std::string> states, lines;
  std::vector<Error> deaths;
  std::vector<float> loading;
  std::vector<Costs> learned;
};

}  // namespace sluice::supervisor
