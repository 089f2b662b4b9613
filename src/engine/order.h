// Who goes first: for the next free lane, for a lane that another has, for the rows of a step. A comparison of values:
// effective class, then the key that got least, then the session that got least, then the generation that got least (in
// coarse buckets, so that who is nearly done is not stopped), then the shorter rest of a prompt, then arrival. Whoever
// gets nothing moves up with time, so nobody starves. Refuses to know lanes and generations. Thread: any (pure).
#pragma once

#include <compare>
#include <cstdint>

#include "core/core.h"

namespace sluice::engine {

// Tokens are weighted: a row of a prompt counts 1, a row of an answer 2. What was taken over from a cache counts
// nothing.
inline constexpr uint64_t kPromptWeight = 1, kAnswerWeight = 2;

// Starved this long, a generation counts as of the next better class, and as having got one bucket, or one quantum,
// less.
inline constexpr Duration kStep = std::chrono::seconds(10);
inline constexpr uint64_t kQuantum = 256;      // of keys and sessions
inline constexpr uint64_t kFirstBucket = 512;  // of a generation; then four times as much for each further one

struct Claim {
  Class cls = Class::agent;
  Duration starved{};         // since it came, or last got a row
  bool paused = false;        // lost its lane, and got nothing since: moves up faster towards one
  uint64_t key_lead = 0;      // what its key got more than the one that got least and has something live
  uint64_t session_lead = 0;  // the same of its session
  uint64_t service = 0;       // what it got itself
  uint64_t prompt_left = 0;   // rows
  uint64_t arrival = 0;       // number of its submit: decides between equals
};

// A claim as it counts now; the lower goes first.
struct Rank {
  int64_t cls = 0, key = 0, session = 0, service = 0, prompt = 0;
  uint64_t arrival = 0;
  auto operator<=>(const Rank&) const = default;
};
Rank rank_of(const Claim& claim);

// A strict weak order.
bool sooner(const Claim& a, const Claim& b);

// Goes before it for more than having come earlier: enough to take what the other has.
bool outranks(const Claim& a, const Claim& b);

// What is gained by giving `newcomer` the lane of `holder`, in time: to be weighed against the time it costs. Means
// nothing where the newcomer is not sooner. `row`: time of a prompt's row.
Duration worth(const Claim& newcomer, const Claim& holder, Duration row);

}  // namespace sluice::engine
