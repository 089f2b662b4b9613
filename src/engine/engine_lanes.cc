// Who has a lane: free ones go to whoever is first in order; one that is held goes over where that is worth ten times
// what moving its holder costs. A holder that gives way keeps its sequence, or, where a newcomer needs that, goes to
// host memory; resuming computes nothing again.
#include <algorithm>
#include <utility>

#include "base/check.h"
#include "engine/engine.h"
#include "engine/kept.h"
#include "engine/placement.h"

namespace sluice::engine {
namespace {

constexpr int kWorthOverCost = 10;

Claim as_if_just_served(Claim claim) {
  claim.starved = {};
  return claim;
}

// Reads a short prompt.
bool begins(const Claim& claim) { return claim.prompt_left > 0 && claim.service + claim.prompt_left < kFirstBucket; }

bool share_one(const Generation& a, const Generation& b) {
  return &a.key_share() == &b.key_share() || (a.session_share() != nullptr && a.session_share() == b.session_share());
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
  Contenders contenders = those_without_lane(now);
  while (!contenders.empty()) {
    const std::optional<Handover> given = give_next_lane(contenders, now);
    if (!given) return;
    renew(contenders, *given, now);
  }
}

Contenders Engine::those_without_lane(TimePoint now) const {
  Contenders out;
  out.reserve(roster_.waiting().size() + roster_.preempted().size());
  const bool crowded = is_crowded();
  for (const auto list : {roster_.preempted(), roster_.waiting()}) {
    for (Generation* g : list) {
      if (const auto one = contender(*g, crowded, now)) out.add(*one);
    }
  }
  return out;
}

// To the first in order of those that can have one.
std::optional<Engine::Handover> Engine::give_next_lane(const Contenders& contenders, TimePoint now) {
  std::vector<const Contender*> next = contenders.firsts();
  const Round round{.parked_tokens = parked_tokens(),
                    .holders = any_has_to_give_way() ? holders_before(next, now) : Holders(),
                    .last_without_lane = sequences_.any_free() ? nullptr : last_that_keeps_sequence(now)};
  if (free_lanes() == 0)
    std::erase_if(next, [&](const Contender* one) { return !round.holders.may_give_way(one->ranked); });
  std::ranges::sort(next, {}, &Contender::place);
  for (const Contender* one : next) {
    if (const auto given = give_lane(*one, round, now)) return given;
  }
  return std::nullopt;
}

// The lanes of their keys and sessions count in claims, and what is in host memory in the places of those there.
void Engine::renew(Contenders& contenders, const Handover& given, TimePoint now) const {
  const bool crowded = is_crowded();
  contenders.remove(*given.to);
  const auto shares_with = [](const Generation& a, const Generation* b) { return b != nullptr && share_one(a, *b); };
  contenders.renew(
      [&](const Generation& g) { return g.parked() || shares_with(g, given.to) || shares_with(g, given.from); },
      [&](Generation& g) { return contender(g, crowded, now); });
  if (given.from == nullptr) return;
  if (const auto one = contender(*given.from, crowded, now)) contenders.add(*one);
}

std::optional<Contender> Engine::contender(Generation& g, bool crowded, TimePoint now) const {
  if (leaves_in_this_plan(g)) return std::nullopt;
  Contender one(g, claim_of(g, now));
  if (crowded && g.parked()) one.place = rank_of(claim_to_next_lane(g, crowded, now));
  return one;
}

bool Engine::is_crowded() const { return parked_tokens() > parked_for_service_max(); }

bool Engine::any_has_to_give_way() const {
  return free_lanes() == 0 || std::ranges::any_of(kClasses, [&](Class cls) { return class_is_full(cls); });
}

// What went to host memory beyond the room for those who got much makes place there before anybody who got less goes on
// for that alone.
Claim Engine::claim_to_next_lane(const Generation& g, bool crowded, TimePoint now) const {
  const Claim claim = claim_of(g, now);
  return crowded && g.parked() ? whatever_it_got(claim) : claim;
}

bool Engine::class_is_full(Class cls) const {
  const uint32_t bound = config_.class_lanes[static_cast<size_t>(cls)];
  return bound > 0 && roster_.running_of(cls) >= bound;
}

// Whose KV leaves in this plan is not brought back in it.
bool Engine::leaves_in_this_plan(const Generation& g) const {
  return std::ranges::find(exports_, g.id(), &ExportKv::generation) != exports_.end();
}

// Leaves no trace where it gets none.
std::optional<Engine::Handover> Engine::give_lane(const Contender& contender, const Round& round, TimePoint now) {
  Generation& newcomer = *contender.generation;
  Generation* holder = nullptr;
  if (free_lanes() == 0 || class_is_full(newcomer.cls())) {
    holder = holder_for(contender, round);
    if (holder == nullptr) return std::nullopt;
  }
  const bool needs_no_other = newcomer.keeps_sequence() || sequences_.any_free();
  Generation* parked = needs_no_other ? nullptr : next_to_park(round.last_without_lane, holder, now);
  if (!needs_no_other &&
      (parked == nullptr || !can_park(*parked, newcomer, round.parked_tokens, room_for(newcomer, holder, now))))
    return std::nullopt;
  if (holder != nullptr && !gives_way(*holder, newcomer, parked, now)) return std::nullopt;
  if (holder != nullptr) {
    if (takes_turn(newcomer)) last_turn_ = now;
    roster_.preempt(*holder, newcomer, now);
    ++totals_.preemptions;
  }
  if (parked != nullptr) park(*parked);
  newcomer.state() == GenerationState::waiting ? start(newcomer) : resume(newcomer);
  return Handover{&newcomer, holder};
}

Generation* Engine::holder_for(const Contender& contender, const Round& round) const {
  const Class cls = contender.generation->cls();
  return class_is_full(cls) ? round.holders.first_to_give_way(contender.ranked, cls)
                            : round.holders.first_to_give_way(contender.ranked);
}

// Who may give way to one of those who might have a lane next. Whoever got its lane in this plan stays: what its
// sequence will hold is not there yet. So does who came back to one and got no row in it yet, and who reads a short
// prompt, unless somebody outranks it for more than having waited: it would then wait as long itself, for little.
Holders Engine::holders_before(std::span<const Contender* const> next, TimePoint now) const {
  std::vector<Ranked> unaged;  // of `next`, made where it is asked for
  const auto any_outranks = [&](const Claim& its) {
    if (unaged.empty()) {
      for (const Contender* one : next) unaged.push_back(ranked(as_if_just_served(claim_of(*one->generation, now))));
    }
    const Ranked unaged_itself = ranked(as_if_just_served(its));
    return std::ranges::any_of(unaged, [&](const Ranked& one) { return outranks(one, unaged_itself); });
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

Generation* Engine::last_that_keeps_sequence(TimePoint now) const {
  Generation* last = nullptr;
  for (Generation* g : roster_.preempted()) {
    if (g->keeps_sequence() && (last == nullptr || sooner(claim_of(*last, now), claim_of(*g, now)))) last = g;
  }
  return last;
}

// Whose sequence a newcomer gets where none is free: the last in order of those without a lane, `also` among them. Null
// where none has a sequence.
Generation* Engine::next_to_park(Generation* last_without_lane, Generation* also, TimePoint now) const {
  if (also == nullptr || last_without_lane == nullptr) return also != nullptr ? also : last_without_lane;
  return sooner(claim_of(*last_without_lane, now), claim_of(*also, now)) ? also : last_without_lane;
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

// Of host memory, in tokens. Up to half, but for one window, is kept for those who go first by class, by the lanes of
// their key and session, or for having waited where their key has no lane: whoever got much gives way to every
// newcomer, and a queue of these fills whatever there is.
uint64_t Engine::room_for(const Generation& newcomer, const Generation* holder, TimePoint now) const {
  const bool for_service =
      holder != nullptr && !outranks(whatever_it_got(claim_of(newcomer, now)), whatever_it_got(claim_of(*holder, now)));
  return for_service ? parked_for_service_max() : parked_tokens_max();
}

// Whether its KV can go to host memory, where `parked` tokens are, and `room` may be when the newcomer's have left.
// After the first, a step takes no more of such moves than fit the time of a chunk.
bool Engine::can_park(const Generation& holder, const Generation& newcomer, uint64_t parked, uint64_t room) const {
  if (!config_.can_export || !exports_work_) return false;
  Duration planned{};
  for (const ExportKv& move : exports_) planned += costs_.export_of(move.upto);
  if (planned > config_.chunk_time) return false;
  const auto computed = static_cast<uint64_t>(sequences_.at(holder.sequence()).computed());
  const uint64_t leaving = newcomer.parked() ? static_cast<uint64_t>(newcomer.parked()->tokens) : 0;
  const uint64_t then = parked + computed;
  return then <= parked_tokens_max() && then - leaving <= room;
}

uint64_t Engine::parked_tokens() const {
  uint64_t tokens = 0;
  for (const Generation* g : roster_.preempted()) {
    if (g->parked()) tokens += static_cast<uint64_t>(g->parked()->tokens);
  }
  return tokens;
}

uint64_t Engine::parked_tokens_max() const {
  return config_.parked_tokens_max > 0 ? config_.parked_tokens_max : uint64_t{config_.lanes} * config_.window;
}

uint64_t Engine::parked_for_service_max() const {
  return std::min(parked_tokens_max(), std::max<uint64_t>(config_.window, parked_tokens_max() / 2));
}

void Engine::park(Generation& holder) {
  const SequenceId seq = holder.sequence();
  const Sequence& s = sequences_.at(seq);
  if (s.computed() > 0) {
    exports_.emplace_back(ExportKv{holder.id(), seq, s.computed()});
    totals_.tokens_parked += static_cast<uint64_t>(s.computed());
  }
  holder.park({s.computed(), s.wide_upto});
  sequences_.release(seq);
}

void Engine::start(Generation& newcomer) {
  const auto placement = choose_sequence(sequences_, {newcomer.known(), newcomer.prompt_tokens()}, config_);
  CHECK(placement);
  sequences_.hold(placement->seq, newcomer.id());
  const auto cached = static_cast<uint32_t>(placement->keep);
  roster_.start(newcomer, placement->seq, cached);
  arrivals_.push_back({newcomer.id(), placement->keep, Seeding::taken_over});
  totals_.tokens_cached += cached;
  facts_.emplace_back(GenerationStartedFact{newcomer.id(), cached});
}

// Where a free sequence still holds as much as went to host memory, nothing has to be brought back.
void Engine::resume(Generation& generation) {
  if (generation.keeps_sequence()) {
    arrivals_.push_back({generation.id(), sequences_.at(generation.sequence()).computed(), Seeding::kept});
    return roster_.resume(generation, generation.sequence());
  }
  const Position parked = generation.parked() ? generation.parked()->tokens : 0;
  const auto placement = choose_sequence(sequences_, {generation.known(), generation.prompt_tokens()}, config_);
  CHECK(placement);
  sequences_.hold(placement->seq, generation.id());
  roster_.resume(generation, placement->seq);
  const bool imports = parked > 0 && placement->keep < parked;
  arrivals_.push_back(
      {generation.id(), imports ? parked : placement->keep, imports ? Seeding::imported : Seeding::taken_over});
  if (imports) return;
  if (parked > 0) forgotten_.push_back(generation.id());
  generation.unpark();
}

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
