#include "engine/contenders.h"

#include <algorithm>

#include "base/check.h"

namespace sluice::engine {
namespace {

std::optional<uint64_t> id_with_lanes(const Sharer& sharer) { return sharer.lanes > 1 ? sharer.id : std::nullopt; }

}  // namespace

Contender::Contender(Generation& g, const Claim& claim)
    : generation(&g),
      key(&g.key_share()),
      session(g.session_share()),
      beside_holders{rank_of(claim), id_with_lanes(claim.key), id_with_lanes(claim.session)},
      rank(beside_holders.rank) {}

size_t Contenders::GroupHash::operator()(const Group& group) const {
  const auto few = (static_cast<uint64_t>(group.state) << 8 | static_cast<uint64_t>(group.cls)) + 1;
  return std::hash<uint64_t>()(group.key.value_or(0) * 31 + group.session.value_or(0) + few * 0x9e3779b97f4a7c15);
}

void Contenders::clear() {
  all_.clear();
  groups_.clear();
}

void Contenders::add(const Contender& contender) { all_.push_back({contender, group_of(contender)}); }

void Contenders::remove(const Generation& generation) {
  const auto it = std::ranges::find(all_, &generation, [](const Grouped& g) { return g.contender.generation; });
  CHECK(it != all_.end());
  remove_at(static_cast<size_t>(it - all_.begin()));
}

void Contenders::remove_at(size_t index) {
  all_[index] = all_.back();
  all_.pop_back();
}

void Contenders::renew(const std::function<bool(const Contender&)>& may_have_changed,
                       const std::function<std::optional<Contender>(Generation&)>& anew) {
  for (size_t i = all_.size(); i-- > 0;) {  // whoever comes to a place that gets free was seen
    if (!may_have_changed(all_[i].contender)) continue;
    Generation& generation = *all_[i].contender.generation;
    if (const auto contender = anew(generation)) {
      all_[i] = {*contender, group_of(*contender)};
    } else {
      remove_at(i);
    }
  }
}

std::vector<const Contender*> Contenders::firsts() const {
  std::vector<const Contender*> out(groups_.size());
  for (const auto& [contender, group] : all_) {
    const Contender*& first = out[group];
    if (first == nullptr || contender.rank < first->rank) first = &contender;
  }
  std::erase(out, nullptr);
  return out;
}

size_t Contenders::group_of(const Contender& c) {
  const Group group{c.generation->state(), c.generation->cls(), c.beside_holders.key, c.beside_holders.session};
  return groups_.try_emplace(group, groups_.size()).first->second;
}

}  // namespace sluice::engine
