// Those that may give their lane to somebody who has none, in the order in which they would. Refuses to know what that
// costs. Thread: step. Lifetime: until a lane is given.
#pragma once

#include <optional>
#include <vector>

#include "engine/generation.h"
#include "engine/order.h"

namespace sluice::engine {

struct Holder {
  Generation* generation;
  Ranked ranked;
  bool is_idle;    // its prompt waits for its turn to be read: it loses nothing by giving way
  Position moves;  // tokens of KV
};

class Holders final {
 public:
  Holders() = default;
  explicit Holders(std::vector<Holder> holders);

  // The last in order of those that the newcomer outranks, of one class where that is asked; but rather an idle one,
  // and of these the one that has the least to move. Null where it outranks none.
  Generation* first_to_give_way(const Ranked& newcomer, std::optional<Class> of) const;

  // False: none, and need not be sought.
  bool may_give_way(const Ranked& newcomer) const { return may_outrank(newcomer, highest_); }

 private:
  std::vector<Holder> in_order_;
  Rank highest_{.cls = -1};  // nobody is below that
};

}  // namespace sluice::engine
