// Where the KV of those goes who get a lane, or give theirs: which sequence a newcomer gets, whose leaves for host
// memory for that, and what room there is.
#include <algorithm>

#include "base/check.h"
#include "engine/engine.h"
#include "engine/placement.h"

namespace sluice::engine {

Generation* Engine::last_that_keeps_sequence(TimePoint now) const {
  Generation* last = nullptr;
  Rank lowest;
  for (Generation* g : roster_.preempted()) {
    if (!g->keeps_sequence()) continue;
    const Rank rank = rank_of(claim_of(*g, now));
    if (last != nullptr && !(lowest < rank)) continue;
    last = g;
    lowest = rank;
  }
  return last;
}

// Whose sequence a newcomer gets where none is free: the last in order of those without a lane, `also` among them. Null
// where none has a sequence.
Generation* Engine::next_to_park(Generation* last_without_lane, Generation* also, TimePoint now) const {
  if (also == nullptr || last_without_lane == nullptr) return also != nullptr ? also : last_without_lane;
  return sooner(claim_of(*last_without_lane, now), claim_of(*also, now)) ? also : last_without_lane;
}

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

bool Engine::is_crowded(uint64_t parked) const { return parked > parked_for_service_max(); }

bool Engine::leaves_in_this_plan(const Generation& g) const {
  return std::ranges::find(exports_, g.id(), &ExportKv::generation) != exports_.end();
}

}  // namespace sluice::engine
