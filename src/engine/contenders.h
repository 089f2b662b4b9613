// Those without a lane, while the lanes of one plan are given. What each claims is made once, and again where a lane
// that went over may change it. Refuses to know who has a lane, and what one costs. Thread: step. Lifetime: the
// engine's; what it holds, that of one plan.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "engine/generation.h"
#include "engine/order.h"

namespace sluice::engine {

struct Contender {
  Contender(Generation& generation, const Claim& claim);
  Generation* generation;
  const Share *key, *session;  // the generation's, at hand for whoever looks at all; null: it names none
  Ranked beside_holders;       // of lanes; without the id of a key, or session, of which nobody has one
  Rank rank;                   // among those that have none: the same, unless set otherwise
};

class Contenders final {
 public:
  bool empty() const { return all_.empty(); }
  void clear();
  void add(const Contender& contender);
  void remove(const Generation& generation);  // is one of them
  // `anew`, for whoever's claim may have changed, says none where it may not have a lane any more.
  void renew(const std::function<bool(const Contender&)>& may_have_changed,
             const std::function<std::optional<Contender>(Generation&)>& anew);

  // Who may get the next lane, in no order: all others are behind one of these, whoever holds the lanes. Of each class,
  // of those that had a lane and of those that had none, the first of each key and session that has lanes, and of all
  // others together: whose key or session has lanes is compared with their holders as nobody else is (order.h,
  // outranks). Of one key, or session, that has lanes the first by rank is taken, though the number of these lanes,
  // which counts in it, does not count beside the holders of its own.
  std::vector<const Contender*> firsts() const;

 private:
  struct Group {
    GenerationState state;
    Class cls;
    std::optional<uint64_t> key, session;
    bool operator==(const Group&) const = default;
  };
  struct GroupHash {
    size_t operator()(const Group& group) const;
  };
  struct Grouped {
    Contender contender;
    size_t group;
  };

  void remove_at(size_t index);
  size_t group_of(const Contender& contender);

  std::vector<Grouped> all_;
  boost::unordered_flat_map<Group, size_t, GroupHash> groups_;  // numbered as they come
};

}  // namespace sluice::engine
