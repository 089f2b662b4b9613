#include "sim/plan_time.h"

#include <algorithm>
#include <vector>

#include "engine/engine.h"
#include "sim/kv_model.h"
#include "sim/plan_runner.h"
#include "sim/random.h"

namespace sluice::sim {
namespace {

constexpr uint32_t kWaiting = 1000;
constexpr int kSteps = 2000;

Scenario full_house() {
  Scenario s;
  s.config.lanes = limits::lanes_max;
  s.config.window = 4096;
  s.config.vocabulary = 32;
  s.config.end_tokens = {0};
  s.machine = {.row_us = 50, .pass_us = 2000, .hiccups = 0};
  return s;
}

GenerationSpec any_spec(Random& random, const engine::EngineConfig& config) {
  GenerationSpec spec;
  for (uint32_t n = random.log_whole(16u, 2048u); n > 0; --n) {
    spec.prompt.push_back(static_cast<Token>(random.below(config.vocabulary)));
  }
  spec.max_tokens = random.between(16, 256);
  spec.cls = kClasses[random.below(std::size(kClasses))];
  spec.key = random.below(20);
  spec.session = random.below(200);
  return spec;
}

double us(Duration d) { return to_ms(d) * 1000; }

std::string line(const char* name, std::vector<Duration>& times) {
  std::ranges::sort(times);
  char text[160];
  std::snprintf(text, sizeof text, "%s: median %.0f us, p99 %.0f us, longest %.0f us, of %zu\n", name,
                us(times[times.size() / 2]), us(times[times.size() * 99 / 100]), us(times.back()), times.size());
  return text;
}

}  // namespace

std::string plan_time_text() {
  const Scenario scenario = full_house();
  Random random(1);
  Verdict verdict;
  engine::Engine engine(scenario.config);
  KvModel kv(scenario.config, false, verdict);
  PlanRunner runner(scenario, engine, kv, random.fork());
  std::vector<Duration> planning, settling;
  TimePoint now;
  uint64_t id = 0;
  for (int i = 0; i < kSteps; ++i) {
    while (engine.stats().waiting < kWaiting &&
           engine.submit({++id}, any_spec(random, scenario.config), now).has_value()) {
    }
    const TimePoint begun = Clock::now();
    const engine::StepPlan plan = engine.plan(now);
    planning.push_back(Clock::now() - begun);
    engine::StepResult result = runner.carry_out(plan);
    for (const engine::MoveResult& move : result.moves) now += move.elapsed;
    for (const engine::CallResult& call : result.calls) now += call.elapsed;
    const TimePoint done = Clock::now();
    engine.on_step_done(plan, std::move(result), now);
    settling.push_back(Clock::now() - done);
    engine.on_ack(plan.step);
    engine.take_facts();
  }
  return line("plan, 64 lanes and 1,000 waiting", planning) + line("on_step_done", settling);
}

}  // namespace sluice::sim
