#include "engine/order.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace sluice::engine {
namespace {

using namespace std::chrono_literals;

// Starved this long, a generation counts as of the next better class, and as having got one bucket, or one quantum,
// less. Eight long prompts that are read in turn are each starved for seconds, and no reason to let a short one wait;
// whoever was stopped is back within seconds.
constexpr Duration kStep = 10s, kPausedStep = 1500ms;
constexpr Duration kClassWorth = 1s;    // of one class before another, against the cost of moving
constexpr uint64_t kQuantum = 256;      // of keys and sessions
constexpr uint64_t kQuantaMax = 8;      // a longer lead counts no more, so that waiting makes up for it
constexpr uint64_t kFirstBucket = 512;  // then four times as much for each further one

int64_t less(uint64_t level, int64_t by) { return std::max<int64_t>(0, static_cast<int64_t>(level) - by); }

int64_t class_level(const Claim& c) { return less(static_cast<uint64_t>(c.cls), c.starved / kStep); }

int64_t aged(const Claim& c) { return c.starved / (c.paused ? kPausedStep : kStep); }

int64_t lead_level(uint64_t lead, const Claim& c) { return less(std::min(lead / kQuantum, kQuantaMax), aged(c)); }

uint64_t bucket(uint64_t tokens) { return (static_cast<uint64_t>(std::bit_width(tokens / kFirstBucket)) + 1) / 2; }

auto standing(const Claim& c) {
  return std::tuple(class_level(c), lead_level(c.key_lead, c), lead_level(c.session_lead, c),
                    less(bucket(c.service), aged(c)), less(bucket(c.prompt_left), aged(c)));
}

uint64_t excess(uint64_t more, uint64_t less) { return more > less ? more - less : 0; }

}  // namespace

bool sooner(const Claim& a, const Claim& b) {
  return std::tuple(standing(a), a.arrival) < std::tuple(standing(b), b.arrival);
}

bool outranks(const Claim& a, const Claim& b) { return standing(a) < standing(b); }

Duration worth(const Claim& newcomer, const Claim& holder, Duration row) {
  const auto classes = std::max<int64_t>(0, class_level(holder) - class_level(newcomer));
  const uint64_t tokens = excess(holder.key_lead, newcomer.key_lead) + excess(holder.service, newcomer.service);
  return newcomer.starved + kClassWorth * classes + row * static_cast<int64_t>(tokens);
}

}  // namespace sluice::engine
