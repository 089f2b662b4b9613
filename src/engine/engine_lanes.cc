// Who has a lane: free ones go to whoever is first in order; one that is held goes over where that is worth ten times
// what moving its holder costs. A holder that gives way keeps its sequence, or, where a newcomer needs that, goes to
// host memory; resuming computes nothing again.
#include <algorithm>
#include <utility>

#include "base/check.h"
#include "engine/engine.h"
#include "engine/kept.h"

namespace sluice::engine {
namespace {

constexpr int kWorthOverCost = 10;

Claim as_if_just_served(Claim claim) {
  claim.starved = {};
  return claim;
}

// Reads a short prompt.
bool begins(const Claim& claim) { return claim.prompt_left > 0 && claim.service + claim.prompt_left < kFirstBucket; }

// What a handover changes the lanes of; null: nothing.
struct Changed {
  const Share* of_to;
  const Share* of_from;
  bool contains(const Share* share) const { return share != nullptr && (share == of_to || share == of_from); }
};

// A lane that stays with a key and class, or with a session, changes nothing of it.
Changed changed_keys(const Generation& to, const Generation* from) {
  if (from == nullptr) return {&to.key_share(), nullptr};
  if (&to.key_share() == &from->key_share() && to.cls() == from->cls()) return {};
  return {&to.key_share(), &from->key_share()};
}

Changed changed_sessions(const Generation& to, const Generation* from) {
  if (from == nullptr) return {to.session_share(), nullptr};
  if (to.session_share() == from->session_share()) return {};
  return {to.session_share(), from->session_share()};
}

}  // namespace

void Engine::end_overdue(TimePoint now) {
  std::vector<Generation*> overdue;
  for (const auto list : {roster_.waiting(), roster_.running(), roster_.preempted()}) {
    for (Generation* g : list) {
      if (g->is_overdue(now)) overdue.push_back(g);
    }
  }
  for (Generation* g : overdue) end_with(*g, FinishReason::deadline);
}

uint32_t Engine::free_lanes() const { return config_.lanes - static_cast<uint32_t>(roster_.running().size()); }

void Engine::fill_lanes(TimePoint now) {
  uint64_t parked = parked_tokens();
  find_contenders(is_crowded(parked), now);
  while (const std::optional<Handover> next = next_handover(parked, now)) {
    carry_out(*next, now);
    const bool was_crowded = is_crowded(parked);
    parked = parked_tokens();
    renew_contenders(*next, was_crowded, is_crowded(parked), now);
  }
  contenders_.clear();
}

void Engine::find_contenders(bool crowded, TimePoint now) {
  for (const auto list : {roster_.preempted(), roster_.waiting()}) {
    for (Generation* g : list) {
      if (const auto one = contender(*g, crowded, now)) contenders_.add(*one);
    }
  }
}

// To the first in order of those that can have a lane.
std::optional<Engine::Handover> Engine::next_handover(uint64_t parked_tokens, TimePoint now) const {
  if (contenders_.empty()) return std::nullopt;
  const std::vector<const Contender*> next = contenders_.firsts();
  const bool any_sequence_free = sequences_.any_free();
  const Round round{.parked_tokens = parked_tokens,
                    .holders = any_has_to_give_way() ? holders_before(next, now) : Holders(),
                    .any_sequence_free = any_sequence_free,
                    .last_without_lane = any_sequence_free ? nullptr : last_that_keeps_sequence(now)};
  const bool any_free = free_lanes() > 0;
  const Contender* first = nullptr;
  std::optional<Handover> found;
  for (const Contender* one : next) {
    if (first != nullptr && first->rank < one->rank) continue;
    if (!any_free && !round.holders.may_give_way(one->beside_holders)) continue;
    const std::optional<Handover> its = handover_to(*one, round, now);
    if (!its) continue;
    first = one;
    found = its;
  }
  return found;
}

// The lanes of their keys and sessions count in claims, and what is in host memory in the ranks of those there.
void Engine::renew_contenders(const Handover& given, bool was_crowded, bool crowded, TimePoint now) {
  const Changed keys = changed_keys(*given.to, given.from), sessions = changed_sessions(*given.to, given.from);
  contenders_.remove(*given.to);
  contenders_.renew(
      [&](const Contender& one) {
        return keys.contains(one.key) || sessions.contains(one.session) || one.generation == given.parked ||
               (was_crowded != crowded && one.generation->parked());
      },
      [&](Generation& g) { return contender(g, crowded, now); });
  if (given.from == nullptr) return;
  if (const auto one = contender(*given.from, crowded, now)) contenders_.add(*one);
}

// What went to host memory beyond the room for those who got much makes place there before anybody who got less goes on
// for that alone. Absent where its KV leaves in this plan: it is not brought back in it.
std::optional<Contender> Engine::contender(Generation& g, bool crowded, TimePoint now) const {
  if (leaves_in_this_plan(g)) return std::nullopt;
  const Claim claim = claim_of(g, now);
  Contender one(g, claim);
  if (crowded && g.parked()) one.rank = rank_of(whatever_it_got(claim));
  return one;
}

bool Engine::any_has_to_give_way() const {
  return free_lanes() == 0 || std::ranges::any_of(kClasses, [&](Class cls) { return class_is_full(cls); });
}

bool Engine::class_is_full(Class cls) const {
  const uint32_t bound = config_.class_lanes[static_cast<size_t>(cls)];
  return bound > 0 && roster_.running_of(cls) >= bound;
}

std::optional<Engine::Handover> Engine::handover_to(const Contender& contender, const Round& round,
                                                    TimePoint now) const {
  Generation& newcomer = *contender.generation;
  const bool full = class_is_full(newcomer.cls());
  Generation* holder = nullptr;
  if (full || free_lanes() == 0) {
    const auto of = full ? std::optional(newcomer.cls()) : std::nullopt;
    holder = round.holders.first_to_give_way(contender.beside_holders, of);
    if (holder == nullptr) return std::nullopt;
  }
  const bool needs_no_other = newcomer.keeps_sequence() || round.any_sequence_free;
  Generation* parked = needs_no_other ? nullptr : next_to_park(round.last_without_lane, holder, now);
  if (!needs_no_other &&
      (parked == nullptr || !can_park(*parked, newcomer, round.parked_tokens, room_for(newcomer, holder, now))))
    return std::nullopt;
  if (holder != nullptr && !gives_way(*holder, newcomer, parked, now)) return std::nullopt;
  return Handover{.to = &newcomer, .from = holder, .parked = parked};
}

void Engine::carry_out(const Handover& handover, TimePoint now) {
  Generation& newcomer = *handover.to;
  if (handover.from != nullptr) {
    if (takes_turn(newcomer)) last_turn_ = now;
    roster_.preempt(*handover.from, newcomer, now);
    ++totals_.preemptions;
  }
  if (handover.parked != nullptr) park(*handover.parked);
  newcomer.state() == GenerationState::waiting ? start(newcomer) : resume(newcomer);
}

// Who may give way to one of those who might have a lane next. Whoever got its lane in this plan stays: what its
// sequence will hold is not there yet. So does who came back to one and got no row in it yet, and who reads a short
// prompt, unless somebody who could have its lane outranks it for more than having waited: it would then wait as long
// itself, for little.
Holders Engine::holders_before(std::span<const Contender* const> next, TimePoint now) const {
  const auto any_outranks = [&](const Claim& its) {
    const Ranked unaged = ranked(as_if_just_served(its));
    return std::ranges::any_of(next, [&](const Contender* one) {
      const Class cls = one->generation->cls();
      const bool could_have_it = cls == its.cls || (free_lanes() == 0 && !class_is_full(cls));
      return could_have_it && outranks(one->beside_holders, unaged) &&  // cheap, and true where the next is
             outranks(ranked(as_if_just_served(claim_of(*one->generation, now))), unaged);
    });
  };
  std::vector<Holder> holders;
  for (Generation* g : roster_.running()) {
    if (arrival_of(g->id()) != nullptr || g->is_paused()) continue;
    const Claim claim = claim_of(*g, now);
    if (begins(claim) && !any_outranks(claim)) continue;
    const bool is_idle = claim.prompt_left > 0 && g->starved_since() < last_step_;
    holders.push_back({g, ranked(claim), is_idle, kept_tokens(*g, sequences_)});
  }
  return Holders(std::move(holders));
}

// Whether the newcomer, which outranks the holder, is worth that. `parked`: whose KV has to be moved for it, if any.
bool Engine::gives_way(const Generation& holder, const Generation& newcomer, const Generation* parked,
                       TimePoint now) const {
  const Claim mine = claim_of(newcomer, now), its = claim_of(holder, now);
  Duration cost = costs_.row();
  if (parked != nullptr) {
    const Position computed = sequences_.at(parked->sequence()).computed();
    cost = costs_.export_of(computed) + costs_.import_of(computed);
  }
  if (takes_turn(newcomer) && last_turn_ && now - *last_turn_ < kWorthOverCost * cost) return false;
  return worth(mine, its, costs_.row()) >= kWorthOverCost * cost;
}

// Those whose KV is in host memory take turns, and what a turn costs is brought in before the next:
// whoever waited for long is worth a move, gets a row, and has waited no longer, so that the next is.
bool Engine::takes_turn(const Generation& newcomer) const { return newcomer.parked() && !sequences_.any_free(); }

const Engine::Arrival* Engine::arrival_of(GenerationId id) const {
  const auto it = std::ranges::find(arrivals_, id, &Arrival::generation);
  return it == arrivals_.end() ? nullptr : &*it;
}

uint64_t Engine::prompt_left(const Generation& g) const {
  const Arrival* arrival = arrival_of(g.id());
  const Position computed = arrival != nullptr ? arrival->seed : kept_tokens(g, sequences_);
  const auto prompt = static_cast<Position>(g.prompt_tokens());
  return static_cast<uint64_t>(prompt - std::min(prompt, computed));
}

Claim Engine::claim_of(const Generation& g, TimePoint now) const { return roster_.claim_of(g, prompt_left(g), now); }

}  // namespace sluice::engine
