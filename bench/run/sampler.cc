#include "bench/run/sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "bench/machine/cpu_time.h"
#include "bench/machine/machine.h"
#include "bench/run/judge.h"
#include "bench/run/request_facts.h"

namespace sluice::bench {
namespace {

constexpr double kNoBound = 1e9;
constexpr double kIdleRowMax = 0.05;  // of a core; what an idle server uses beyond this is said

void add_shares(Sample& sample, const CpuShares& shares) {
  sample.others_cpu = shares.others;
  sample.bench_cpu = shares.bench;
  sample.server_cpu = shares.server;
}

void add_verdict(Sample& sample, Stage& stage, bool best_effort, double others_max) {
  auto verdict = judge(stage.asked(), {stage.objections(), best_effort, sample.others_cpu, others_max});
  sample.state = verdict.state;
  sample.reasons = std::move(verdict.reasons);
  if (sample.state == SampleState::failed || sample.state == SampleState::voided) sample.figures.clear();
}

}  // namespace

Sample take_sample(Loop& loop, Server& server, Cell& cell, size_t variant, Round round,
                   const SampleSettings& settings) {
  Stage stage(loop, server, round, settings.manner);
  Sample sample;
  sample.load_before = load_of_one_minute();
  const CpuWatch watch(server.pid());
  std::vector<CpuWatch> idle;
  std::vector<std::string> idle_reasons;
  for (const IdleRow& row : settings.idle_rows) idle.emplace_back(row.pid);
  const TimePoint begun = Clock::now();
  sample.figures = cell.measure(stage, variant);
  sample.wall_ms = to_ms(Clock::now() - begun);
  add_shares(sample, watch.finish());
  for (size_t i = 0; i < idle.size(); ++i) {
    const double share = idle[i].finish().server;
    if (share > kIdleRowMax)
      idle_reasons.push_back(
          fmt::format("{}, which should idle, used {:.0f} % of a core", settings.idle_rows[i].name, 100 * share));
  }
  sample.load_after = load_of_one_minute();
  sample.memory = std::move(stage.memory());
  sample.probes = std::move(stage.probes());
  for (const Asked& asked : stage.asked()) sample.requests.push_back(facts_of(asked, begun));
  // What a server on another machine, or of another user, computes here cannot be told from others' work.
  const bool attributable = server.is_ours() || server.pid();
  add_verdict(sample, stage, cell.variants()[variant].best_effort, attributable ? settings.others_max : kNoBound);
  std::ranges::move(idle_reasons, std::back_inserter(sample.reasons));
  return sample;
}

}  // namespace sluice::bench
