#include "engine/order.h"

#include <algorithm>
#include <bit>

namespace sluice::engine {
namespace {

using namespace std::chrono_literals;

// Eight long prompts that are read in turn are each starved for seconds, and no reason to let a short one wait; whoever
// was stopped is back within seconds.
constexpr Duration kPausedStep = 1500ms;
constexpr Duration kClassWorth = 1s;  // of one class before another, against the cost of moving
constexpr uint64_t kQuantaMax = 8;    // a longer lead counts no more, so that waiting makes up for it

int32_t less(uint64_t level, int64_t by) {
  return static_cast<int32_t>(std::max<int64_t>(0, static_cast<int64_t>(level) - by));
}

Duration starved_before_others(const Claim& c) { return std::min(c.starved, c.key_starved.value_or(c.starved)); }

int32_t class_level(const Claim& c) { return less(static_cast<uint64_t>(c.cls), starved_before_others(c) / kStep); }

int64_t aged(Duration starved, bool paused) { return paused ? starved / kPausedStep : starved / kStep; }

int32_t lead_level(uint64_t lead, int64_t up) { return less(std::min(lead / kQuantum, kQuantaMax), up); }

int32_t lanes_level(Duration starved, const Sharer& sharer) {
  return starved < kStep ? static_cast<int32_t>(sharer.lanes) : 1;
}

bool is_same(const std::optional<uint64_t>& a, const std::optional<uint64_t>& b) { return a && a == b; }

uint64_t excess(uint64_t more, uint64_t less) { return more > less ? more - less : 0; }

uint64_t bucket(uint64_t tokens) { return (static_cast<uint64_t>(std::bit_width(tokens / kFirstBucket)) + 1) / 2; }

}  // namespace

Rank rank_of(const Claim& c) {
  const Duration starved = starved_before_others(c);
  // As one: whoever waited when the key's lane was lost is not behind whoever was stopped then.
  const bool key_is_paused = c.paused || (c.key_starved && c.starved >= *c.key_starved);
  const int64_t up = aged(c.starved, c.paused);
  return {.cls = class_level(c),
          .key = lead_level(c.key.lead, aged(starved, key_is_paused)),
          .key_lanes = lanes_level(starved, c.key),
          .session = lead_level(c.session.lead, up),
          .session_lanes = lanes_level(c.starved, c.session),
          .service = less(bucket(c.service), up),
          .prompt = less(bucket(c.prompt_left), up),
          .arrival = c.arrival};
}

bool sooner(const Claim& a, const Claim& b) { return rank_of(a) < rank_of(b); }

Ranked ranked(const Claim& c) { return {rank_of(c), c.key.id, c.session.id}; }

// A lane that stays with a key or a session decides nothing.
bool outranks(const Ranked& newcomer, const Ranked& holder) {
  Rank mine = newcomer.rank, its = holder.rank;
  if (is_same(newcomer.key, holder.key)) mine.key_lanes = its.key_lanes;
  if (is_same(newcomer.session, holder.session)) mine.session_lanes = its.session_lanes;
  mine.arrival = its.arrival;
  return mine < its;
}

bool outranks(const Claim& newcomer, const Claim& holder) { return outranks(ranked(newcomer), ranked(holder)); }

// A lane is the fewest that anybody can have, and so that a key or a session can be reckoned with.
bool may_outrank(const Ranked& newcomer, const Rank& highest) {
  Rank at_best = newcomer.rank;
  at_best.key_lanes = at_best.session_lanes = 1;
  at_best.arrival = 0;
  return at_best < highest;
}

Claim whatever_it_got(Claim claim) {
  claim.service = claim.prompt_left = 0;
  return claim;
}

Duration worth(const Claim& newcomer, const Claim& holder, Duration row) {
  const auto classes = std::max(0, class_level(holder) - class_level(newcomer));
  const uint64_t tokens = excess(holder.key.lead, newcomer.key.lead) + excess(holder.service, newcomer.service);
  return newcomer.starved + kClassWorth * classes + row * static_cast<int64_t>(tokens);
}

}  // namespace sluice::engine
