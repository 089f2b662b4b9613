#include "engine/holders.h"

#include <algorithm>
#include <utility>

namespace sluice::engine {
namespace {

bool gives_way_before(const Holder& a, const Holder& b) {
  if (a.is_idle != b.is_idle) return a.is_idle;
  if (a.is_idle && a.moves != b.moves) return a.moves < b.moves;
  return b.ranked.rank < a.ranked.rank;
}

}  // namespace

Holders::Holders(std::vector<Holder> holders) : in_order_(std::move(holders)) {
  std::ranges::sort(in_order_, gives_way_before);
  for (const Holder& holder : in_order_) highest_ = std::max(highest_, holder.ranked.rank);
}

Generation* Holders::first_to_give_way(const Ranked& newcomer, std::optional<Class> of) const {
  const auto it = std::ranges::find_if(
      in_order_, [&](const Holder& h) { return (!of || h.generation->cls() == *of) && outranks(newcomer, h.ranked); });
  return it != in_order_.end() ? it->generation : nullptr;
}

}  // namespace sluice::engine
