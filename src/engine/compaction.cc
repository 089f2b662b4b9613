#include "engine/compaction.h"

#include <algorithm>
#include <tuple>

#include "base/check.h"
#include "engine/adjacency.h"

namespace sluice::engine {
namespace {

constexpr uint32_t kHorizonTokens = 256;  // few answers reach their max_tokens: the gain is counted this far
constexpr double kGainWanted = 2;

IdSet ids_of(std::span<const Runner> runners) {
  IdSet ids;
  for (const Runner& r : runners) ids = with(ids, r.seq);
  return ids;
}

const Runner& runner_on(std::span<const Runner> runners, SequenceId seq) {
  const auto it = std::ranges::find(runners, seq, &Runner::seq);
  CHECK(it != runners.end());
  return *it;
}

// Decode steps in which some member of `ids` still takes part.
uint32_t steps_left(std::span<const Runner> runners, const IdSet& ids) {
  uint32_t most = 0;
  for (const Runner& r : runners) {
    if (ids.test(static_cast<size_t>(r.seq.raw))) most = std::max(most, r.may_produce);
  }
  return most;
}

SequenceId best_hole(const Sequences& sequences, const IdSet& rest, SequenceId mover) {
  const IdSet held = sequences.held();
  std::optional<SequenceId> best;
  const auto key = [&](SequenceId id) {
    return std::tuple(runs_of(with(rest, id)), sequences.at(id).is_cached(), distance(rest, id),
                      std::abs(id.raw - mover.raw), id);
  };
  for (int32_t i = 0; i < static_cast<int32_t>(sequences.size()); ++i) {
    const SequenceId id{i};
    if (!held.test(static_cast<size_t>(i)) && (!best || key(id) < key(*best))) best = id;
  }
  CHECK(best);  // two runs have a hole between them
  return *best;
}

struct Move {
  CopyKv copy;
  double net_ms = 0;  // gain beyond what the copies must bring in
  bool costs_a_cache = false;
};

// Brings the outermost runner of an outer run to the others. Where that alone saves nothing, the rest of its run is to
// follow in later steps, and is paid for here.
std::optional<Move> consider(const Sequences& sequences, std::span<const Runner> runners, const CostModel& costs,
                             const IdSet& run, SequenceId mover) {
  const Position upto = runner_on(runners, mover).extent.computed;
  if (upto == 0) return std::nullopt;
  const IdSet held = ids_of(runners);
  const IdSet rest = held & ~run;
  const SequenceId hole = best_hole(sequences, rest, mover);
  const uint32_t runs_after_one = runs_of(with(without(held, mover), hole));
  const bool one_is_enough = runs_after_one < runs_of(held);
  const uint32_t runs_after = one_is_enough ? runs_after_one : runs_of(with(rest, hole));
  if (runs_after >= runs_of(held)) return std::nullopt;

  const uint32_t steps = std::min({steps_left(runners, run), steps_left(runners, rest), kHorizonTokens});
  const double gain = to_ms(costs.extra_pass()) * (runs_of(held) - runs_after) * steps;
  const double cost = to_ms(costs.copy()) * (one_is_enough ? 1 : static_cast<double>(run.count()));
  if (gain <= 0 || gain < kGainWanted * cost) return std::nullopt;
  return Move{{mover, hole, upto}, gain - kGainWanted * cost, sequences.at(hole).is_cached()};
}

bool better(const Move& a, const Move& b) {
  if (a.net_ms != b.net_ms) return a.net_ms > b.net_ms;
  return !a.costs_a_cache && b.costs_a_cache;
}

}  // namespace

std::optional<CopyKv> choose_copy(const Sequences& sequences, std::span<const Runner> runners, const CostModel& costs) {
  const IdSet held = ids_of(runners);
  if (sequences.held() != held) return std::nullopt;  // somebody preempted lies between: it will not stay
  if (runs_of(held) < 2) return std::nullopt;
  const auto low = consider(sequences, runners, costs, first_run(held), lowest(held));
  const auto high = consider(sequences, runners, costs, last_run(held), highest(held));
  if (!low && !high) return std::nullopt;
  if (!low || (high && !better(*low, *high))) return high->copy;
  return low->copy;
}

}  // namespace sluice::engine
