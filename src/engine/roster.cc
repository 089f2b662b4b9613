#include "engine/roster.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace sluice::engine {
namespace {

std::optional<Duration> key_starved(const Generation& g, TimePoint now) {
  if (g.state() == GenerationState::running) return std::nullopt;
  if (g.key_share().lanes_of(g.cls()) > 0) return Duration{};
  const auto lost = g.key_share().lost_last_lane(g.cls());
  return lost ? std::optional(now - *lost) : std::nullopt;
}

Sharer sharer(const Generation& g, uint64_t id, const Share& share, uint64_t lead) {
  return {.id = id, .lead = lead, .lanes = share.lanes() + (g.state() == GenerationState::running ? 0u : 1u)};
}

}  // namespace

void Roster::add(GenerationId id, GenerationSpec&& spec, TimePoint now) {
  const auto [it, added] = live_.try_emplace(id, id, std::move(spec), now, ++arrivals_);
  CHECK(added);
  Generation& generation = it->second;
  const uint64_t session = generation.session();
  generation.join(keys_.enter(generation.key()), session != 0 ? &sessions_.enter(session) : nullptr);
  waiting_.push_back(&generation);
}

Generation* Roster::find(GenerationId id) {
  const auto it = live_.find(id);
  return it == live_.end() ? nullptr : &it->second;
}

const Generation* Roster::find(GenerationId id) const {
  const auto it = live_.find(id);
  return it == live_.end() ? nullptr : &it->second;
}

Generation& Roster::at(GenerationId id) {
  Generation* generation = find(id);
  CHECK(generation != nullptr);
  return *generation;
}

Claim Roster::claim_of(const Generation& g, uint64_t prompt_left, TimePoint now) const {
  return {.cls = g.cls(),
          .starved = now - g.starved_since(),
          .paused = g.is_paused(),
          .key_starved = key_starved(g, now),
          .key = sharer(g, g.key(), g.key_share(), keys_.lead(g.key_share())),
          .session = session_of(g),
          .service = g.service(),
          .prompt_left = prompt_left,
          .arrival = g.arrival()};
}

Sharer Roster::session_of(const Generation& g) const {
  const Share* share = g.session_share();
  return share == nullptr ? Sharer{} : sharer(g, g.session(), *share, sessions_.lead(*share));
}

void Roster::change_running(const Generation& generation, int by) {
  running_of_[static_cast<size_t>(generation.cls())] += static_cast<uint32_t>(by);
  generation.key_share().change_lanes(generation.cls(), by);
  if (Share* session = generation.session_share()) session->change_lanes(generation.cls(), by);
}

void Roster::start(Generation& generation, SequenceId seq, uint32_t cached_tokens) {
  generation.start(seq, cached_tokens);
  CHECK(std::erase(waiting_, &generation) == 1);
  running_.push_back(&generation);
  change_running(generation, 1);
}

void Roster::preempt(Generation& generation, const Generation& newcomer, TimePoint now) {
  generation.preempt(now);
  CHECK(std::erase(running_, &generation) == 1);
  preempted_.push_back(&generation);
  change_running(generation, -1);
  const Class cls = generation.cls();
  const bool to_another_key = newcomer.cls() == cls && newcomer.key() != generation.key();
  if (to_another_key && generation.key_share().lanes_of(cls) == 0) generation.key_share().lose_last_lane(cls, now);
}

void Roster::resume(Generation& generation, SequenceId seq) {
  generation.resume(seq);
  CHECK(std::erase(preempted_, &generation) == 1);
  running_.push_back(&generation);
  change_running(generation, 1);
}

void Roster::serve(Generation& generation, uint64_t weighted_tokens, TimePoint now) {
  generation.served(weighted_tokens, now);
  keys_.charge(generation.key_share(), weighted_tokens);
  if (Share* session = generation.session_share()) sessions_.charge(*session, weighted_tokens);
}

void Roster::end(Generation& generation) {
  if (generation.state() == GenerationState::running) change_running(generation, -1);
  generation.end();
  CHECK(std::erase(waiting_, &generation) + std::erase(running_, &generation) + std::erase(preempted_, &generation) ==
        1);
  keys_.leave(generation.key());
  if (generation.session() != 0) sessions_.leave(generation.session());
  live_.erase(generation.id());
}

}  // namespace sluice::engine
