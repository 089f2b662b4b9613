#include "engine/forecast.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace sluice::engine {
namespace {

constexpr std::pair<uint32_t, uint64_t> kOwnTurn{};
constexpr uint64_t kNever = uint64_t{1} << 32;

struct Newcomer {
  Claim claim;
  uint64_t reads = 0;  // rows that it may have got beside those ahead, at most as many as each of them
};

// Leads are counted from whoever got least, and so fall together as that one gets more: two in one quantum may be in
// two a moment later, or the other way round. A quantum less one token is what that may be worth.
uint64_t at_best(uint64_t lead) { return lead - std::min(lead, kQuantum - 1); }

// The newcomer's claim beside that of `one`, when it is worth most and `tokens` have gone before. A lead that both
// share decides nothing between them, and one beside somebody without a session may fall to nothing.
Claim at_best(const Newcomer& newcomer, const Ahead& one, uint64_t tokens) {
  Claim claim = newcomer.claim;
  claim.key.lead = one.of_same_key ? 0 : at_best(claim.key.lead);
  claim.session.lead = one.of_same_key && one.turn != kOwnTurn ? at_best(claim.session.lead) : 0;
  claim.prompt_left -= std::min({claim.prompt_left, newcomer.reads, tokens});
  return claim;
}

// Of keys that got as much, and of sessions, the other one may have more lanes, and leave one to the newcomer.
Claim having_got(uint64_t tokens, const Ahead& one) {
  Claim claim = one.claim;
  claim.service += tokens;
  if (one.of_same_key) {
    claim.key = {};
  } else {
    claim.key = {.lead = claim.key.lead + tokens, .lanes = 2};
  }
  if (one.turn == kOwnTurn) {
    claim.session = {};
  } else {
    claim.session = {.lead = claim.session.lead + tokens, .lanes = 2};
  }
  return claim;
}

// The least that puts it behind the newcomer, in weighted tokens.
uint64_t tokens_until_behind(const Newcomer& newcomer, const Ahead& one) {
  uint64_t enough = kNever;
  for (uint64_t low = 0; low < enough;) {
    const uint64_t tokens = low + (enough - low) / 2;
    const bool behind = sooner(at_best(newcomer, one, tokens), having_got(tokens, one));
    behind ? enough = tokens : low = tokens + 1;
  }
  return enough;
}

// Several that share a turn: it is over when all have read their prompts, or one is put behind.
struct Shared {
  uint64_t rows = 0;
  uint64_t tokens = kNever;
};

// What each turn takes, in rows. Of one's own a prompt is read before there is an answer; a key or a session may get
// answers at once, whose rows take as long as a prompt's, and weigh more.
std::vector<uint64_t> turns(const Newcomer& newcomer, std::span<const Ahead> ahead) {
  std::vector<uint64_t> out;
  std::map<std::pair<uint32_t, uint64_t>, Shared> shared;
  for (const Ahead& one : ahead) {
    if (one.rows == 0) continue;
    const uint64_t tokens = tokens_until_behind(newcomer, one);
    if (one.turn == kOwnTurn) {
      out.push_back(std::min(one.rows, tokens / kPromptWeight));
    } else {
      Shared& turn = shared[one.turn];
      turn.rows += one.rows;
      turn.tokens = std::min(turn.tokens, tokens);
    }
  }
  for (const auto& [id, turn] : shared) out.push_back(std::min(turn.rows, turn.tokens / kAnswerWeight));
  return out;
}

uint64_t sum(std::span<const uint64_t> rows) { return std::accumulate(rows.begin(), rows.end(), uint64_t{0}); }

size_t shared(std::span<const Token> a, std::span<const Token> b) {
  return static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

}  // namespace

uint64_t rows_before_first_token(uint64_t own, const Claim& newcomer, std::span<const Ahead> ahead) {
  Newcomer reading{.claim = newcomer, .reads = own};
  reading.claim.prompt_left = own;
  std::vector<uint64_t> rows = turns(reading, ahead);
  for (uint64_t& of_turn : rows) of_turn = std::min(of_turn, own);
  return sum(rows) + own;
}

uint64_t rows_before_lane(uint32_t lanes, const Claim& newcomer, std::span<const Ahead> ahead) {
  std::vector<uint64_t> rows = turns({.claim = newcomer}, ahead);
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
