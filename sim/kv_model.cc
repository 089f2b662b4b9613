#include "sim/kv_model.h"

#include <algorithm>
#include <string>
#include <utility>

#include "sim/random.h"

namespace sluice::sim {

Row RowMaker::after(uint64_t state, Token token, bool alone) const {
  const uint64_t width = width_matters_ && alone ? 1 : 0;
  return {token, alone, mix(state ^ mix(static_cast<uint64_t>(token) * 2 + width))};
}

void RowMaker::extend(Rows& rows, std::span<const Token> piece, bool alone) const {
  uint64_t state = rows.empty() ? kStateOfNoRows : rows.back().state;
  for (const Token token : piece) {
    rows.push_back(after(state, token, alone));
    state = rows.back().state;
  }
}

KvModel::KvModel(const engine::EngineConfig& config, bool width_matters, Verdict& verdict)
    : config_(config), maker_(width_matters), verdict_(verdict), sequences_(config.lanes) {}

bool KvModel::must(bool rule, const char* what, uint64_t of) {
  if (!rule) verdict_.fail("the rules of a runtime", std::string(what) + " (" + std::to_string(of) + ")");
  return rule;
}

bool KvModel::usable(SequenceId seq) {
  const auto of = static_cast<uint64_t>(seq.raw);
  return must(index(seq) < sequences_.size(), "there is no such sequence", of) &&
         must(!is_poisoned(seq), "a lost sequence is used before it was dropped", of);
}

void KvModel::carry_out(const engine::KvMove& move) {
  std::visit([this](const auto& one) { done(one); }, move);
}

void KvModel::done(const engine::DropKv& move) { sequences_.at(index(move.seq)) = {}; }

void KvModel::done(const engine::TruncateKv& move) {
  const auto of = static_cast<uint64_t>(move.seq.raw);
  if (!usable(move.seq) || !must(config_.can_truncate, "a runtime that cannot truncate is to", of)) return;
  if (!must(move.upto > 0 && move.upto < computed(move.seq), "truncated to nothing, or to more than is there", of)) {
    return;
  }
  sequences_[index(move.seq)].rows.resize(static_cast<size_t>(move.upto));
}

void KvModel::done(const engine::CopyKv& move) {
  const auto of = static_cast<uint64_t>(move.from.raw);
  if (!usable(move.from) || !must(config_.can_copy, "a runtime that cannot copy is to", of)) return;
  if (!must(move.upto > 0 && move.upto <= computed(move.from), "copied up to nothing, or more than is there", of)) {
    return;
  }
  Rows copied = rows(move.from);
  copied.resize(static_cast<size_t>(move.upto));
  sequences_.at(index(move.to)) = {std::move(copied), false};
}

void KvModel::done(const engine::ExportKv& move) {
  if (!usable(move.seq) || !must(config_.can_export, "a runtime that cannot export is to", move.generation.raw)) return;
  const bool fits = move.upto > 0 && move.upto <= computed(move.seq);
  if (!must(fits, "exported up to nothing, or more than is there", move.generation.raw)) return;
  Rows exported = rows(move.seq);
  exported.resize(static_cast<size_t>(move.upto));
  const bool is_new = host_.emplace(move.generation.raw, std::move(exported)).second;
  must(is_new, "exported although it is in host memory already", move.generation.raw);
}

void KvModel::done(const engine::ImportKv& move) {
  const auto found = host_.find(move.generation.raw);
  if (!usable(move.seq) || !must(found != host_.end(), "imported without being in host memory", move.generation.raw)) {
    return;
  }
  const auto held = static_cast<Position>(found->second.size());
  must(held == move.upto, "imported more or less than was exported", move.generation.raw);
  sequences_[index(move.seq)].rows = std::move(found->second);
  host_.erase(found);
}

void KvModel::done(const engine::ForgetKv& move) { host_.erase(move.generation.raw); }

void KvModel::check(const engine::PlannedCall& call) {
  must(!call.feeds.empty(), "a call without feeds", 0);
  size_t all_rows = 0;
  for (size_t i = 0; i < call.feeds.size(); ++i) {
    const engine::PlannedFeed& feed = call.feeds[i];
    const bool sorted = i == 0 || call.feeds[i - 1].seq < feed.seq;
    must(sorted, "the feeds of a call are not sorted by sequence, or two have one", feed.generation.raw);
    check(feed);
    all_rows += feed.tokens.size();
  }
  must(all_rows <= config_.call_tokens, "a call has more rows than it may", all_rows);
}

void KvModel::check(const engine::PlannedFeed& feed) {
  const uint64_t of = feed.generation.raw;
  if (!usable(feed.seq)) return;
  must(!feed.tokens.empty(), "a feed without rows", of);
  must(feed.first == computed(feed.seq), "a feed starts elsewhere than its sequence ends", of);
  must(feed.first + static_cast<Position>(feed.tokens.size()) <= static_cast<Position>(config_.window),
       "a feed goes over the window", of);
}

uint64_t KvModel::state_after(const engine::PlannedFeed& feed) const {
  const Rows& before = rows(feed.seq);
  uint64_t state = before.empty() ? kStateOfNoRows : before.back().state;
  for (const Token token : feed.tokens) state = maker_.after(state, token, feed.tokens.size() == 1).state;
  return state;
}

void KvModel::compute(const engine::PlannedFeed& feed, Position rows) {
  const auto piece = feed.tokens.first(static_cast<size_t>(rows));
  maker_.extend(sequences_.at(index(feed.seq)).rows, piece, feed.tokens.size() == 1);
}

void KvModel::wipe(SequenceId seq) { sequences_.at(index(seq)).rows.clear(); }

void KvModel::poison(SequenceId seq) { sequences_.at(index(seq)).poisoned = true; }

}  // namespace sluice::sim
