#include "engine/forecast.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "engine/order.h"

namespace sluice::engine {
namespace {

constexpr std::pair<uint32_t, uint64_t> kOwnTurn{};

// What each turn takes: at most `most` of each, and at most `most_together` where several share one.
template <class Most>
std::vector<uint64_t> turns(std::span<const Ahead> ahead, Most most, uint64_t most_together) {
  std::vector<uint64_t> out;
  std::map<std::pair<uint32_t, uint64_t>, uint64_t> together;
  for (const Ahead& one : ahead) {
    const uint64_t rows = std::min(one.rows, most(one));
    if (one.turn == kOwnTurn) {
      out.push_back(rows);
    } else {
      together[one.turn] += rows;
    }
  }
  for (const auto& [turn, rows] : together) out.push_back(std::min(rows, most_together));
  return out;
}

uint64_t sum(std::span<const uint64_t> rows) { return std::accumulate(rows.begin(), rows.end(), uint64_t{0}); }

size_t shared(std::span<const Token> a, std::span<const Token> b) {
  return static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

}  // namespace

uint64_t rows_before_first_token(uint64_t own, std::span<const Ahead> ahead) {
  return sum(turns(ahead, [own](const Ahead&) { return own; }, own)) + own;
}

uint64_t rows_before_lane(uint32_t lanes, std::span<const Ahead> ahead) {
  const auto until_later = [](const Ahead& one) { return kFirstBucket - std::min(kFirstBucket, one.service); };
  std::vector<uint64_t> rows = turns(ahead, until_later, kQuantum);
  if (rows.size() < lanes) return 0;
  std::ranges::sort(rows);
  rows.resize(rows.size() - (lanes - 1));
  return sum(rows);
}

// In lexicographical order a neighbour shares the most.
std::vector<size_t> shared_with_another(std::span<const std::span<const Token>> texts) {
  std::vector<size_t> order(texts.size()), out(texts.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order,
                    [&](size_t a, size_t b) { return std::ranges::lexicographical_compare(texts[a], texts[b]); });
  for (size_t i = 1; i < order.size(); ++i) {
    const size_t same = shared(texts[order[i - 1]], texts[order[i]]);
    for (const size_t text : {order[i - 1], order[i]}) out[text] = std::max(out[text], same);
  }
  return out;
}

}  // namespace sluice::engine
