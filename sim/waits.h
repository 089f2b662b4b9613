// Check: every wait is bounded. Whoever got nothing for T counts as being of the best class and as having got nothing
// (src/engine/order.cc), and from then on is behind nobody but those who came before it. T is the longest of
//   10 s                               (then it counts as the only one of its key and session),
//   10 s x its class                   (interactive 0 ... background 3),
//   10 s x its highest level           of: lead of its key and of its session, buckets of its service and its prompt;
//                                      1.5 s where it was preempted,
//   10 x what moving a whole window to host memory and back takes (a lane goes over where that is worth it).
// Those of a key and class age before other keys as one: as long as one has a lane, had one before the plan, or the
// last one was taken less than T ago, that holds among these only, and no key gets before another by its queue. So,
// from T on, in every step in which nobody of its class who came before it waits and counts as much, and, where it was
// preempted and its KV has to be moved, 10 moves after the last one of that kind:
//   no later arrival gets a lane that needs a sequence before it, unless its class is full, or host memory has no
//   room and the other one leaves it;
//   without a lane, it gets the one of some later arrival that got 512 tokens or more, where host memory has room;
//   with a lane, no later arrival's prompt gets rows in a step in which it gets none.
// Half of the host memory is kept from who waits among those of its own key.
// A wait is then at most T and the time that those before it take. Refuses to know lanes' contents.
// Thread: one at a time per object.
#pragma once

#include <array>
#include <map>
#include <set>
#include <utility>

#include "engine/engine.h"
#include "sim/kv_model.h"
#include "sim/record.h"
#include "sim/scenario.h"
#include "sim/tally.h"
#include "sim/verdict.h"

namespace sluice::sim {

class Waits final {
 public:
  Waits(const Scenario& scenario, const KvModel& kv, Verdict& verdict);

  void accepted(const Record& record);
  void ended(const Record& record);
  void planned(const Book& book, const engine::StepPlan& plan, TimePoint now);
  void served(Record& record, Position before, Position after, TimePoint now);

  using PerClass = std::array<Duration, std::size(kClasses)>;
  const PerClass& longest() const { return longest_; }  // without a row
  const Tally& keys() const { return keys_; }

 private:
  using Group = std::pair<uint32_t, size_t>;  // of a key and a class
  static Group group_of(const Record& record);
  void find_groups(const Book& book);
  Duration bound(const Record& record) const;
  Duration moves_up_in(const Record& record) const;
  bool is_behind_its_own(const Record& record, Duration bound) const;
  bool is_first(const Book& book, const Record& record) const;
  bool is_its_turn(const Record& record) const;
  bool class_is_full(const Book& book, Class cls) const;
  bool can_park(const Book& book, const Record& record, uint64_t most) const;
  void check_without_lane(const Book& book, const engine::StepPlan& plan, const Record& record);
  void check_with_lane(const engine::StepPlan& plan, const Record& record);
  void fail(const Record& record, const Record* later, const char* what);

  const Scenario& scenario_;
  const KvModel& kv_;
  Verdict& verdict_;
  Tally keys_, sessions_;
  Duration move_;  // a window to host memory and back, or a row, at the worst
  PerClass longest_{};
  std::set<Group> groups_, groups_before_;  // that have a lane after this plan, and after the last one
  std::map<Group, TimePoint> lost_at_;      // the last lane of one
  TimePoint now_;
  std::optional<TimePoint> last_turn_;  // a lane went over to one that was preempted, and KV was moved
};

}  // namespace sluice::sim
