#include "sim/plan_runner.h"

#include <algorithm>

#include "base/limits.h"

namespace sluice::sim {

PlanRunner::PlanRunner(const Scenario& scenario, const engine::Engine& engine, KvModel& kv, Random random)
    : scenario_(scenario),
      engine_(engine),
      kv_(kv),
      random_(random),
      machine_(scenario.machine, random_.fork()),
      weather_(scenario.weather),
      draws_(scenario.config.vocabulary) {}

engine::StepResult PlanRunner::carry_out(const engine::StepPlan& plan) {
  engine::StepResult result;
  for (const engine::KvMove& move : plan.moves) {
    result.moves.push_back(carry_out(move));
    if (!result.moves.back().outcome) return result;
  }
  for (const engine::PlannedCall& call : plan.calls) {
    result.calls.push_back(carry_out(call));
    const auto& outcome = result.calls.back().outcome;
    if (!outcome && outcome.error().code == ErrorCode::fatal) return result;
  }
  return result;
}

engine::MoveResult PlanRunner::carry_out(const engine::KvMove& move) {
  const Duration elapsed = machine_.move(move);
  if (const auto code = failure_of(move)) {
    if (*code == ErrorCode::fault) suffer(move);
    return {fail(*code, "the weather"), elapsed};
  }
  kv_.carry_out(move);
  return {{}, elapsed};
}

// Letting go never fails.
std::optional<ErrorCode> PlanRunner::failure_of(const engine::KvMove& move) {
  if (std::holds_alternative<engine::DropKv>(move) || std::holds_alternative<engine::ForgetKv>(move)) {
    return std::nullopt;
  }
  if (!random_.chance(weather_.failed_moves)) return std::nullopt;
  return random_.one_of(std::array{ErrorCode::fault, ErrorCode::unsupported, ErrorCode::capacity});
}

void PlanRunner::suffer(const engine::KvMove& move) {
  if (const auto* cut = std::get_if<engine::TruncateKv>(&move)) kv_.poison(cut->seq);
  if (const auto* import = std::get_if<engine::ImportKv>(&move)) kv_.poison(import->seq);
  if (const auto* copy = std::get_if<engine::CopyKv>(&move)) {
    kv_.poison(copy->from);
    kv_.poison(copy->to);
  }
}

engine::CallResult PlanRunner::carry_out(const engine::PlannedCall& call) {
  kv_.check(call);
  const std::optional<Mishap> mishap = mishap_of(call);
  engine::CallResult result;
  result.passes = passes_of(call);
  result.elapsed = time_of(call, result.passes, mishap);
  for (const engine::PlannedFeed& feed : call.feeds) {
    const auto rows = static_cast<Position>(feed.tokens.size());
    const bool kept = !mishap || mishap->rows_done >= rows;
    if (feed.sample && (!mishap || mishap->drawn)) result.sampled.push_back({feed.generation, draw(feed, !kept)});
    if (!mishap) kv_.compute(feed, rows);
  }
  if (mishap) {
    suffer(call, *mishap);
    result.outcome = fail(mishap->code, "the weather");
  }
  for (const engine::PlannedFeed& feed : call.feeds) result.computed.push_back({feed.seq, kv_.computed(feed.seq)});
  return result;
}

std::optional<PlanRunner::Mishap> PlanRunner::mishap_of(const engine::PlannedCall& call) {
  if (fatal_next_) return Mishap{ErrorCode::fatal};
  const Weather& w = weather_;
  if (random_.chance(w.faults)) return Mishap{ErrorCode::fault};
  if (random_.chance(w.no_room)) return Mishap{ErrorCode::capacity};
  if (random_.chance(w.aborts)) return abort_of(call);
  if (!random_.chance(w.hung)) return std::nullopt;
  Mishap hung = abort_of(call);
  hung.hung = true;
  return hung;
}

PlanRunner::Mishap PlanRunner::abort_of(const engine::PlannedCall& call) {
  Mishap mishap{.code = ErrorCode::cancelled, .rows_done = -1, .drawn = random_.chance(50)};
  const auto rows = static_cast<uint32_t>(call.feeds.front().tokens.size());
  if (random_.chance(50)) mishap.rows_done = static_cast<Position>(random_.between(0u, rows));
  return mishap;
}

void PlanRunner::suffer(const engine::PlannedCall& call, const Mishap& mishap) {
  for (const engine::PlannedFeed& feed : call.feeds) {
    if (mishap.code == ErrorCode::fault || mishap.code == ErrorCode::fatal) kv_.poison(feed.seq);
    if (mishap.code != ErrorCode::cancelled) continue;
    if (mishap.rows_done < 0) {
      kv_.wipe(feed.seq);
    } else {
      kv_.compute(feed, std::min(mishap.rows_done, static_cast<Position>(feed.tokens.size())));
    }
  }
}

Choice PlanRunner::draw(const engine::PlannedFeed& feed, bool garbage) {
  const engine::SamplingView view = engine_.sampling_view(feed.generation);
  const uint64_t state = kv_.state_after(feed);
  return draws_.draw(garbage ? mix(state) : state, *view.params, view.known, view.prompt_tokens, view.choice,
                     view.forbidden);
}

uint32_t PlanRunner::passes_of(const engine::PlannedCall& call) const {
  if (!scenario_.config.adjacent_ids_per_pass) return 1;
  uint32_t passes = 1;
  for (size_t i = 1; i < call.feeds.size(); ++i) {
    if (call.feeds[i].seq.raw != call.feeds[i - 1].seq.raw + 1) ++passes;
  }
  return passes;
}

// A hung call is aborted when the daemon's patience ends.
Duration PlanRunner::time_of(const engine::PlannedCall& call, uint32_t passes, const std::optional<Mishap>& mishap) {
  const Duration time = machine_.call(call, passes);
  if (!mishap) return time;
  if (mishap->hung) return std::max<Duration>(limits::hung_step_min, limits::hung_step_forecasts * call.predicted);
  return mishap->code == ErrorCode::capacity ? Duration{} : time / 2;
}

}  // namespace sluice::sim
