#include "bench/run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "base/build.h"
#include "bench/load/prompts.h"
#include "bench/machine/machine.h"
#include "bench/result/json.h"
#include "bench/run/agreement.h"
#include "bench/run/sampler.h"
#include "bench/run/summary.h"
#include "bench/server/launch.h"

namespace sluice::bench {
namespace {

constexpr uint32_t kAgreementTokens = 64;

uint64_t samples_of(const std::vector<std::unique_ptr<Cell>>& cells, size_t rows, const config::BenchOptions& options) {
  uint64_t variants = 0;
  for (const auto& cell : cells) variants += cell->variants().size();
  return variants * rows * (options.warm_ups + options.pairs);
}

ModelFacts facts_of_model(const std::string& path) {
  std::error_code none;
  const auto bytes = path.empty() ? 0 : std::filesystem::file_size(path, none);
  return {path, none ? 0 : bytes};
}

}  // namespace

Run::Run(const config::BenchOptions& options, std::vector<Server> servers, std::vector<std::unique_ptr<Cell>> cells,
         std::vector<std::string> command)
    : options_(options),
      servers_(std::move(servers)),
      cells_(std::move(cells)),
      progress_(samples_of(cells_, servers_.size(), options)),
      manner_(decide_manner()) {
  result_.created = std::time(nullptr);
  result_.command = std::move(command);
  result_.build = build_id();
  result_.machine = read_machine();
  result_.model = facts_of_model(options.model_path);
  if (result_.model.bytes > 0) result_.machine.read_bytes_per_s = measure_read_bandwidth(result_.machine.cores);
  result_.settings = {options.pairs, options.seed, manner_.chat ? "chat" : "raw", options.lanes,
                      options.context.value_or(kContextDefault)};
}

// All rows are asked in one way: by chat where one of them has no other.
Manner Run::decide_manner() const {
  const bool needs_chat = std::ranges::any_of(servers_, [](const Server& s) { return !s.target().dialect.raw; });
  const bool chat =
      options_.mode == config::BenchMode::automatic ? needs_chat : options_.mode == config::BenchMode::chat;
  return {chat, options_.thinking, options_.may_end};
}

Result<void> Run::measure() {
  for (const auto& cell : cells_) {
    if (cell->starts_servers()) {
      for (Server& server : servers_) server.stop();
    } else {
      start_servers();
    }
    for (size_t variant = 0; variant < cell->variants().size(); ++variant) {
      measure_variant(*cell, variant);
      take_row_facts();
      if (auto saved = save(); !saved) return saved;
    }
  }
  if (options_.agreement) {
    start_servers();
    measure_agreement();
  }
  take_row_facts();
  for (Server& server : servers_) server.stop();
  return save();
}

void Run::start_servers() {
  const Round round{options_.seed, rounds_++};
  for (Server& server : servers_) {
    if (server.is_running() || server.has_failed()) continue;
    progress_.on(server.facts().name + ": starting");
    if (server.start(loop_)) {
      warm(server, round);
    } else {
      progress_.say(
          fmt::format("{}: {}\n{}", server.facts().name, name_of(server.facts().state), server.facts().stderr_tail));
    }
  }
}

// One answer that nobody counts: some servers load their model with the first.
void Run::warm(Server& server, Round round) {
  Stage stage(loop_, server, round, manner_);
  Volley volley = stage.volley();
  volley.send(stage.unique(0, std::string(task(0)), 1));
  volley.run();
}

void Run::measure_variant(Cell& cell, size_t variant) {
  const Variant facts = cell.variants()[variant];
  CellResult measured{cell.name(), facts.label, facts.series, facts.x, facts.x_name, facts.primary, {}, {}};
  const uint32_t planned = options_.warm_ups + options_.pairs;
  uint32_t rounds = planned;
  for (uint32_t round = 0; round < rounds; ++round) {
    const bool disturbed = measure_round(cell, variant, measured, round);
    if (disturbed && round >= options_.warm_ups && rounds < planned + options_.pairs) {
      ++rounds;  // measured again, as often as there are pairs
      progress_.more(servers_.size());
    }
  }
  measured.summaries =
      summarize(measured.samples, static_cast<uint32_t>(servers_.size()), facts.primary, options_.seed);
  result_.cells.push_back(std::move(measured));
}

// True: others computed too much beside one of the samples.
bool Run::measure_round(Cell& cell, size_t variant, CellResult& into, uint32_t round) {
  const SampleSettings settings{manner_, options_.others_max, idle_};
  const bool warm_up = round < options_.warm_ups;
  const Round unique{options_.seed, rounds_++};
  bool disturbed = false;
  for (size_t row = 0; row < servers_.size(); ++row, progress_.one_done()) {
    Server& server = servers_[row];
    if (server.has_failed() || (!cell.starts_servers() && !server.serves())) continue;
    progress_.on(fmt::format("{}, {}: {}{}, {}", into.cell, into.label, warm_up ? "warm-up " : "",
                             warm_up ? round + 1 : round + 1 - options_.warm_ups, server.facts().name));
    idle_.clear();
    for (const Server& other : servers_) {
      if (&other != &server && other.pid() && other.pid() != server.pid()) idle_.push_back({other.facts().name, *other.pid()});
    }
    Sample sample = take_sample(loop_, server, cell, variant, unique, settings);
    sample.row = static_cast<uint32_t>(row);
    sample.round = round;
    disturbed |= sample.state == SampleState::disturbed;
    if (warm_up) sample.state = SampleState::warm_up;
    into.samples.push_back(std::move(sample));
  }
  return disturbed;
}

void Run::measure_agreement() {
  const Round unique{options_.seed, rounds_++};
  std::vector<Replies> replies(servers_.size());
  for (size_t row = 0; row < servers_.size(); ++row) {
    if (!servers_[row].serves()) continue;
    progress_.on("agreement, " + servers_[row].facts().name);
    replies[row] = ask_for_agreement(loop_, servers_[row], unique, manner_, options_.tokens.value_or(kAgreementTokens));
  }
  result_.agreement = agreements_of(replies);
}

void Run::take_row_facts() {
  result_.rows.clear();
  for (Server& server : servers_) {
    server.serves();  // one that has died since says so
    result_.rows.push_back(server.facts());
  }
}

Result<void> Run::save() const {
  if (options_.out.empty()) return {};
  const std::string part = options_.out + ".part";
  std::ofstream file(part, std::ios::binary);
  file << to_json(result_);
  file.close();
  std::error_code failed;
  if (file) std::filesystem::rename(part, options_.out, failed);
  if (!file || failed) return fail(ErrorCode::io, "cannot write " + options_.out, "--out");
  return {};
}

}  // namespace sluice::bench
