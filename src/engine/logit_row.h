// One row of logits as the sampler reads it: the runtime's floats under a request's edits, in blocks whose maxima are
// known, so that the likely tokens are found without sorting or copying the others. NaN counts as minus infinity.
// Refuses to know sampling parameters. Thread: one at a time. Lifetime: the sampler's; what load() was given must
// outlive the reading.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/core.h"
#include "engine/logit_edits.h"

namespace sluice::engine {

struct Candidate {
  float logit = 0;
  Token token = 0;
};

// Most probable first; on a tie the lower token.
inline bool operator<(const Candidate& a, const Candidate& b) {
  return a.logit != b.logit ? a.logit > b.logit : a.token < b.token;
}

class LogitRow final {
 public:
  static constexpr float kImpossible = -std::numeric_limits<float>::infinity();

  explicit LogitRow(uint32_t vocabulary);

  void load(std::span<const float> raw, const LogitEdits* edits);  // nullptr: none

  float highest() const { return highest_; }  // kImpossible: no token is possible
  Token first_highest();                      // the lowest of the most probable tokens; some token must be possible

  // A token's probability relative to that of the most probable one, exp((logit - highest) * scale), and its sum over
  // all tokens, to 3e-7 of itself.
  double weight(float logit, float scale) const;
  double total_weight(float scale);

  // Calls visit(const Candidate&) for the possible tokens, most probable first, until it returns false. `expected` is a
  // guess of how many that takes: about as many are read and sorted at first, then ever more.
  template <class Visit>
  void descend(size_t expected, Visit visit) {
    size_t part = std::max<size_t>(expected, 1);
    float high = highest_;
    for (size_t blocks = part; high > kImpossible; blocks *= kGrowth) {
      const bool last = blocks > kGrowth * maxima_.size();
      const float low = last ? kImpossible : below_highest(std::min(blocks, maxima_.size()));
      gather(low, high);
      for (size_t at = 0; at < band_.size(); at += part, part *= kGrowth) {
        for (const Candidate& candidate : sorted_part(at, part)) {
          if (!visit(candidate)) return;
        }
      }
      high = low;
    }
  }

 private:
  static constexpr size_t kGrowth = 8;
  static constexpr uint32_t kBlock = LogitEdits::kBlockTokens;
  using Block = std::span<const float, kBlock>;

  // The edited logits of a block, until the next call. What lies past the vocabulary is impossible.
  Block values(uint32_t block);
  float below_highest(size_t n);
  void gather(float low, float high);
  std::span<const Candidate> sorted_part(size_t from, size_t count);

  std::span<const float> raw_;
  const LogitEdits* edits_ = nullptr;
  float highest_ = kImpossible;
  std::vector<float> maxima_;        // of each block
  std::vector<float> order_;         // maxima_, partly sorted
  std::vector<Candidate> band_;      // gathered
  std::array<float, kBlock> patch_;  // a block that is not in raw_ as it is
};

}  // namespace sluice::engine
