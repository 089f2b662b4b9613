#include "engine/logit_row.h"

#include <cmath>
#include <functional>

#include "base/check.h"
#include "engine/float_lanes.h"

namespace sluice::engine {
namespace {

using Values = std::span<const float, LogitEdits::kBlockTokens>;
constexpr size_t kRegisters = 4;

float maximum(Values values) {
  Floats highest[kRegisters];
  for (Floats& lanes : highest) lanes = all(LogitRow::kImpossible);
  for (size_t at = 0; at < values.size(); at += kRegisters * kLanes) {
    for (size_t i = 0; i < kRegisters; ++i) highest[i] = greater(lanes_at(&values[at + i * kLanes]), highest[i]);
  }
  const Floats both = greater(greater(highest[0], highest[1]), greater(highest[2], highest[3]));
  return std::max({both[0], both[1], both[2], both[3]});
}

double weights(Values values, float highest, float scale) {
  Floats sums[kRegisters] = {};
  for (size_t at = 0; at < values.size(); at += kRegisters * kLanes) {
    for (size_t i = 0; i < kRegisters; ++i) {
      const Floats logits = lanes_at(&values[at + i * kLanes]);
      sums[i] += exp_of_negative(logits == all(highest) ? all(0) : (logits - highest) * scale);
    }
  }
  double total = 0;
  for (const Floats& lanes : sums) total += double{lanes[0]} + lanes[1] + lanes[2] + lanes[3];
  return total;
}

}  // namespace

LogitRow::LogitRow(uint32_t vocabulary) : maxima_((vocabulary + kBlock - 1) / kBlock), order_(maxima_.size()) {}

void LogitRow::load(std::span<const float> raw, const LogitEdits* edits) {
  CHECK((raw.size() + kBlock - 1) / kBlock == maxima_.size());
  raw_ = raw;
  edits_ = edits;
  for (uint32_t block = 0; block < maxima_.size(); ++block) maxima_[block] = maximum(values(block));
  highest_ = maxima_.empty() ? kImpossible : *std::max_element(maxima_.begin(), maxima_.end());
}

LogitRow::Block LogitRow::values(uint32_t block) {
  const std::span<const float> rest = raw_.subspan(size_t{block} * kBlock);
  const bool edited = edits_ != nullptr && edits_->touches(block);
  if (!edited && rest.size() >= kBlock) return rest.first<kBlock>();
  const size_t tokens = std::min<size_t>(rest.size(), kBlock);
  std::copy_n(rest.begin(), tokens, patch_.begin());
  std::fill(patch_.begin() + tokens, patch_.end(), kImpossible);
  if (edited) edits_->patch(block, std::span(patch_).first(tokens));
  return patch_;
}

Token LogitRow::first_highest() {
  CHECK(highest_ > kImpossible);
  const auto block = static_cast<uint32_t>(std::find(maxima_.begin(), maxima_.end(), highest_) - maxima_.begin());
  const Block logits = values(block);
  const auto within = std::find(logits.begin(), logits.end(), highest_) - logits.begin();
  return static_cast<Token>(block * kBlock + within);
}

// Equality first: infinity minus infinity is no number.
double LogitRow::weight(float logit, float scale) const {
  if (logit == highest_) return 1;
  return std::exp((static_cast<double>(logit) - highest_) * scale);
}

double LogitRow::total_weight(float scale) {
  double total = 0;
  for (uint32_t block = 0; block < maxima_.size(); ++block) {
    // Beside the most probable token's 1, a million of such blocks do not change the sum.
    if (weight(maxima_[block], scale) < 1e-25) continue;
    total += weights(values(block), highest_, scale);
  }
  return total;
}

// A bound that at least `n` logits exceed: `n` blocks have a maximum over it.
float LogitRow::below_highest(size_t n) {
  order_ = maxima_;
  const auto nth = order_.begin() + static_cast<std::ptrdiff_t>(n) - 1;
  std::nth_element(order_.begin(), nth, order_.end(), std::greater<>());
  return std::nextafter(*nth, kImpossible);
}

// The candidates within (low, high], in no order.
void LogitRow::gather(float low, float high) {
  band_.clear();
  for (uint32_t block = 0; block < maxima_.size(); ++block) {
    if (!(maxima_[block] > low)) continue;
    const Block logits = values(block);
    for (uint32_t i = 0; i < kBlock; ++i) {
      if (logits[i] > low && logits[i] <= high) band_.push_back({logits[i], static_cast<Token>(block * kBlock + i)});
    }
  }
}

std::span<const Candidate> LogitRow::sorted_part(size_t from, size_t count) {
  const auto begin = band_.begin() + static_cast<std::ptrdiff_t>(from);
  const auto end = begin + static_cast<std::ptrdiff_t>(std::min(count, band_.size() - from));
  if (end != band_.end()) std::nth_element(begin, end, band_.end());
  std::sort(begin, end);
  return {begin, end};
}

}  // namespace sluice::engine
