// How the live generations stand, for whoever watches: the same order and the same bounds that decide over lanes, asked
// without deciding.
#include <algorithm>

#include "base/check.h"
#include "base/limits.h"
#include "engine/engine.h"
#include "engine/kept.h"

namespace sluice::engine {

// What the next step can still give to those without a lane.
struct Engine::LanesLeft {
  uint32_t of_all = 0;
  std::array<uint32_t, std::size(kClasses)> given{};  // of a class: to those before
};

std::vector<Standing> Engine::standings(TimePoint now) const {
  CHECK(!in_step_);
  std::vector<Standing> out;
  for (const Generation* g : roster_.running()) out.push_back(standing_of(*g, now));
  LanesLeft left{.of_all = free_lanes()};
  uint32_t ahead = 0;
  for (const Generation* g : without_a_lane(now)) {
    Standing& standing = out.emplace_back(standing_of(*g, now));
    standing.ahead = ahead++;
    standing.waits_for = waits_for(*g, left, now);
    if (standing.waits_for != WaitsFor::step) continue;
    --left.of_all;
    ++left.given[static_cast<size_t>(g->cls())];
  }
  return out;
}

// The first in order first. Ranks are made once: a comparison that makes them would do so again and again.
std::vector<const Generation*> Engine::without_a_lane(TimePoint now) const {
  const bool crowded = is_crowded(parked_tokens());
  std::vector<std::pair<Rank, const Generation*>> ranked;
  for (const auto list : {roster_.waiting(), roster_.preempted()}) {
    for (Generation* g : list) {
      const std::optional<Contender> one = contender(*g, crowded, now);
      CHECK(one);  // nobody's KV leaves between two plans
      ranked.emplace_back(one->rank, g);
    }
  }
  std::ranges::sort(ranked, {}, &std::pair<Rank, const Generation*>::first);
  std::vector<const Generation*> out;
  for (const auto& [rank, g] : ranked) out.push_back(g);
  return out;
}

Standing Engine::standing_of(const Generation& g, TimePoint now) const {
  Standing standing;
  standing.generation = g.id();
  standing.cached = g.cached_tokens();
  standing.starved = now - g.starved_since();
  standing.computed = static_cast<uint32_t>(kept_tokens(g, sequences_));
  if (g.keeps_sequence()) {
    standing.sequence = g.sequence();
  } else {
    standing.parked = standing.computed;
  }
  if (g.state() == GenerationState::preempted) standing.doing = Doing::preempted;
  if (g.state() != GenerationState::running) return standing;
  standing.doing = decodes(extent_of(g), config_.cut_rules()) ? Doing::decode : Doing::prefill;
  if (is_held_back()) standing.waits_for = WaitsFor::daemon;
  return standing;
}

WaitsFor Engine::waits_for(const Generation& g, const LanesLeft& left, TimePoint now) const {
  const auto index = static_cast<size_t>(g.cls());
  const uint32_t bound = config_.class_lanes[index];
  if (is_held_back()) return WaitsFor::daemon;
  if (bound > 0 && roster_.running_of(g.cls()) + left.given[index] >= bound) return WaitsFor::class_lanes;
  if (left.of_all == 0) return WaitsFor::lane;
  if (g.keeps_sequence() || sequences_.any_free()) return WaitsFor::step;
  const Generation* parked = last_that_keeps_sequence(now);
  return parked != nullptr && can_park(*parked, g, parked_tokens(), parked_tokens_max()) ? WaitsFor::step
                                                                                         : WaitsFor::room;
}

}  // namespace sluice::engine
