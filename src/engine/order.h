// Who goes first: for the next free lane, for a lane that another has, for the rows of a step. A comparison of values:
// effective class, then the key that got least, then the key that has the fewest lanes, then the session that got least
// and the one that has the fewest, then the generation that got least (in coarse buckets, so that who is nearly done is
// not stopped), then the shorter rest of a prompt, then arrival. Whoever gets nothing moves up with time, so nobody
// starves. Refuses to know whose lanes they are. Thread: any (pure).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "core/core.h"

namespace sluice::engine {

// Tokens are weighted: a row of a prompt counts 1, a row of an answer 2. What was taken over from a cache counts
// nothing.
inline constexpr uint64_t kPromptWeight = 1, kAnswerWeight = 2;

// Starved this long, a generation counts as of the next better class, as having got one bucket, or one quantum, less,
// and as the only one of its key and session. Who waits behind others of its key does so within the key alone, and a
// key whose last lane of a class went to another one ages anew, as one: else a long queue, in which somebody has always
// waited, would go before all other keys.
inline constexpr Duration kStep = std::chrono::seconds(10);
inline constexpr uint64_t kQuantum = 256;      // of keys and sessions
inline constexpr uint64_t kFirstBucket = 512;  // of a generation; then four times as much for each further one

// A key or a session. Who names no session is one of its own, without an id.
struct Sharer {
  std::optional<uint64_t> id{};
  uint64_t lead = 0;   // what it got more than the one that got least and has something live
  uint32_t lanes = 1;  // of its generations, with one for this that it has or would have
};

struct Claim {
  Class cls = Class::agent;
  Duration starved{};                     // since it came, or last got a row
  bool paused = false;                    // lost its lane, and got nothing since: moves up faster towards one
  std::optional<Duration> key_starved{};  // counts for no more before other keys: since its key's last lane of its
                                          // class went to another key of it; 0: it has one; absent: neither
  Sharer key{};
  Sharer session{};
  uint64_t service = 0;      // what it got itself
  uint64_t prompt_left = 0;  // rows
  uint64_t arrival = 0;      // number of its submit: decides between equals
};

// A claim as it counts now; the lower goes first.
struct Rank {
  int32_t cls = 0, key = 0, key_lanes = 0, session = 0, session_lanes = 0, service = 0, prompt = 0;
  uint64_t arrival = 0;
  auto operator<=>(const Rank&) const = default;
};
Rank rank_of(const Claim& claim);

// For many comparisons with others: a claim's rank, and whose lanes count in it.
struct Ranked {
  Rank rank{};
  std::optional<uint64_t> key{}, session{};
};
Ranked ranked(const Claim& claim);

// A strict weak order.
bool sooner(const Claim& a, const Claim& b);

// Goes before the holder for more than having come earlier: enough to take its lane. Of keys, or sessions, that got as
// much, one does not take what would leave it with more lanes than the other: that would go back in the next step.
bool outranks(const Ranked& newcomer, const Ranked& holder);
bool outranks(const Claim& newcomer, const Claim& holder);

// False: it outranks nobody who ranks at most `highest`. One comparison for many.
bool may_outrank(const Ranked& newcomer, const Rank& highest);

// As if it had got nothing, and its prompt were read: what its class, its key, its session and its wait say.
Claim whatever_it_got(Claim claim);

// What is gained by giving `newcomer` the lane of `holder`, in time: to be weighed against the time it costs. Means
// nothing where the newcomer is not sooner. `row`: time of a prompt's row.
Duration worth(const Claim& newcomer, const Claim& holder, Duration row);

}  // namespace sluice::engine
