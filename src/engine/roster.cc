#include "engine/roster.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/check.h"

namespace sluice::engine {
namespace {

Sharer sharer(const Generation& g, uint64_t id, const Share& share, uint64_t lead) {
  return {.id = id, .lead = lead, .lanes = share.lanes() + (g.state() == GenerationState::running ? 0u : 1u)};
}

struct Group {
  GenerationState state;
  Class cls;
  std::optional<uint64_t> key, session;
  bool operator==(const Group&) const = default;
};

struct GroupHash {
  size_t operator()(const Group& g) const {
    const auto few = (static_cast<uint64_t>(g.state) << 8 | static_cast<uint64_t>(g.cls)) + 1;
    return std::hash<uint64_t>()(g.key.value_or(0) * 31 + g.session.value_or(0) + few * 0x9e3779b97f4a7c15);
  }
};

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
          .behind_its_own = g.state() != GenerationState::running && g.key_share().lanes_of(g.cls()) > 0,
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

// Whose key or session has lanes is compared with their holders otherwise than all others are (order.h, outranks).
std::vector<Generation*> Roster::next_in_order(
    const std::function<std::optional<Claim>(const Generation&)>& claim) const {
  std::vector<std::pair<Rank, Generation*>> firsts;
  std::unordered_map<Group, size_t, GroupHash> places;
  const auto id_of = [](const Sharer& sharer) { return sharer.lanes > 1 ? sharer.id : std::nullopt; };
  for (const auto list : {preempted(), waiting()}) {
    for (Generation* g : list) {
      const auto its = claim(*g);
      if (!its) continue;
      const std::pair mine{rank_of(*its), g};
      const auto [place, is_new] =
          places.try_emplace({g->state(), g->cls(), id_of(its->key), id_of(its->session)}, firsts.size());
      if (is_new) {
        firsts.push_back(mine);
      } else if (auto& first = firsts[place->second]; mine.first < first.first) {
        first = mine;
      }
    }
  }
  std::ranges::sort(firsts, {}, &std::pair<Rank, Generation*>::first);
  std::vector<Generation*> out;
  for (const auto& [rank, g] : firsts) out.push_back(g);
  return out;
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

void Roster::preempt(Generation& generation, TimePoint now) {
  generation.preempt(now);
  CHECK(std::erase(running_, &generation) == 1);
  preempted_.push_back(&generation);
  change_running(generation, -1);
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
