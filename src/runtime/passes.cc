#include "runtime/passes.h"

#include <algorithm>

#include "base/check.h"

namespace sluice {
namespace {

class Splitter {
 public:
  Splitter(std::span<const Feed> feeds, const Capabilities& capabilities) : feeds_(feeds), capabilities_(capabilities) {
    for (const Feed& feed : feeds) left_.push_back(feed.tokens.size());
  }

  bool done() const {
    return std::all_of(left_.begin(), left_.end(), [](size_t left) { return left == 0; });
  }

  Pass next() {
    const std::vector<size_t> members = choose_members();
    CHECK(!members.empty());
    return capabilities_.equal_rows_per_pass.holds ? equal_shares(members) : greedy_shares(members);
  }

 private:
  bool may_join(size_t feed, size_t last) const {
    if (capabilities_.adjacent_ids_per_pass.holds && feeds_[feed].seq.raw != feeds_[last].seq.raw + 1) return false;
    const bool same_kind = (feeds_[feed].tokens.size() == 1) == (feeds_[last].tokens.size() == 1);
    return same_kind || capabilities_.mixed_passes.holds;
  }

  std::vector<size_t> choose_members() const {
    std::vector<size_t> members;
    for (size_t feed = 0; feed < feeds_.size() && members.size() < capabilities_.pass_tokens; ++feed) {
      if (left_[feed] == 0) continue;
      if (members.empty() || may_join(feed, members.back())) members.push_back(feed);
    }
    return members;
  }

  Pass equal_shares(const std::vector<size_t>& members) {
    size_t rows = capabilities_.pass_tokens / members.size();
    for (const size_t feed : members) rows = std::min(rows, left_[feed]);
    Pass pass;
    for (const size_t feed : members) pass.push_back(take(feed, rows));
    return pass;
  }

  Pass greedy_shares(const std::vector<size_t>& members) {
    size_t room = capabilities_.pass_tokens;
    Pass pass;
    for (const size_t feed : members) {
      if (room == 0) break;
      pass.push_back(take(feed, std::min(room, left_[feed])));
      room -= pass.back().rows;
    }
    return pass;
  }

  PassShare take(size_t feed, size_t rows) {
    left_[feed] -= rows;
    return {feed, rows};
  }

  std::span<const Feed> feeds_;
  const Capabilities& capabilities_;
  std::vector<size_t> left_;
};

}  // namespace

std::vector<Pass> split_into_passes(std::span<const Feed> feeds, const Capabilities& capabilities) {
  Splitter splitter(feeds, capabilities);
  std::vector<Pass> passes;
  while (!splitter.done()) passes.push_back(splitter.next());
  return passes;
}

}  // namespace sluice
