#include "sim/work.h"

#include <algorithm>
#include <string>
#include <utility>

namespace sluice::sim {
namespace {

constexpr Position kLastPair = 2;  // no row of a prompt is computed alone

bool is_held(const Book& book, SequenceId seq) {
  return std::ranges::any_of(book.live(), [seq](const Record* r) { return r->seq == seq; });
}

std::optional<GenerationId> named_by(const engine::KvMove& move) {
  if (const auto* m = std::get_if<engine::ExportKv>(&move)) return m->generation;
  if (const auto* m = std::get_if<engine::ImportKv>(&move)) return m->generation;
  return std::nullopt;
}

std::optional<SequenceId> changed_by(const engine::KvMove& move) {
  if (const auto* m = std::get_if<engine::DropKv>(&move)) return m->seq;
  if (const auto* m = std::get_if<engine::TruncateKv>(&move)) return m->seq;
  if (const auto* m = std::get_if<engine::CopyKv>(&move)) return m->to;
  if (const auto* m = std::get_if<engine::ImportKv>(&move)) return m->seq;
  return std::nullopt;
}

}  // namespace

Work::Reached& Work::of(GenerationId id) {
  if (reached_.size() < id.raw) reached_.resize(id.raw);
  return reached_[id.raw - 1];
}

void Work::planned(Book& book) {
  for (const Record* record : book.live()) {
    if (!record->arrived || record->service > 0 || !record->answer.empty()) continue;
    Reached& reached = of(record->id);
    if (std::exchange(reached.has_begun, true)) continue;
    reached.upto = reached.most = static_cast<Position>(record->cached);
    check_start(book, *record);
  }
}

Position Work::common(SequenceId seq, const Record& newcomer) const {
  const Rows& rows = kv_.rows(seq);
  const auto& prompt = newcomer.spec.prompt;
  const auto end = std::ranges::mismatch(rows, prompt, {}, &Row::token).in1;
  return static_cast<Position>(end - rows.begin());
}

// What of a sequence serves a newcomer: as src/engine/cut.h and placement.h promise.
Position Work::usable(SequenceId seq, const Record& newcomer) const {
  const Rows& rows = kv_.rows(seq);
  Position upto = common(seq, newcomer);
  const auto prompt = static_cast<Position>(newcomer.spec.prompt.size());
  if (!scenario_.config.decode_equals_prefill) {
    const auto first_alone = std::ranges::find(rows, true, &Row::alone) - rows.begin();
    upto = prompt == 1 ? 0 : std::min(upto, static_cast<Position>(first_alone));
  }
  if (!scenario_.config.can_truncate && (upto < kv_.computed(seq) || upto >= prompt - 1)) return 0;
  if (upto >= prompt - 1) upto = std::max(0, prompt - kLastPair);
  return 2 * upto < kv_.computed(seq) ? 0 : upto;  // the rest is worth more to its own conversation
}

void Work::check_start(Book& book, const Record& newcomer) {
  Position best = 0, longest = 0;
  for (int32_t i = 0; i < static_cast<int32_t>(kv_.sequences()); ++i) {
    if (kv_.is_poisoned({i})) continue;
    longest = std::max(longest, common({i}, newcomer));
    if (!is_held(book, {i})) best = std::max(best, usable({i}, newcomer));
  }
  const auto cached = static_cast<Position>(newcomer.cached);
  if (longest > cached) rows_existed_ += static_cast<uint64_t>(longest - cached);
  if (!scenario_.weather.calm() || best <= cached) return;
  verdict_.fail("no row is computed twice", "generation " + std::to_string(newcomer.id.raw) + " starts with " +
                                                std::to_string(cached) +
                                                " tokens although a sequence nobody holds has " + std::to_string(best));
}

void Work::stepped(Book& book, const engine::StepPlan& plan, const engine::StepResult& result) {
  const auto failed = std::ranges::find_if(result.moves, [](const auto& move) { return !move.outcome; });
  if (failed != result.moves.end()) destroyed_by_moves(book, plan, static_cast<size_t>(failed - result.moves.begin()));
  for (size_t i = 0; i < result.calls.size(); ++i) {
    const auto& outcome = result.calls[i].outcome;
    if (!outcome && outcome.error().code != ErrorCode::cancelled) continue;
    for (const engine::PlannedFeed& feed : plan.calls[i].feeds) {
      const Record& record = book.at(feed.generation);
      computed(record, feed, kv_.computed(feed.seq));
      // What an abort kept of a prompt may end where its last rows have to be computed again, as a pair.
      if (!outcome)
        of(record.id).upto = std::max(0, scenario_.config.can_truncate ? kv_.computed(feed.seq) - kLastPair : 0);
    }
  }
}

void Work::computed(const Record& record, const engine::PlannedFeed& feed, Position after) {
  Reached& reached = of(record.id);
  if (after <= feed.first) return;
  rows_ += static_cast<uint64_t>(after - feed.first);
  rows_again_ += static_cast<uint64_t>(std::max(0, std::min(reached.most, after) - feed.first));
  if (feed.first < reached.upto) {
    verdict_.fail("no row is computed twice", "generation " + std::to_string(record.id.raw) + " is computed from " +
                                                  std::to_string(feed.first) + " on, and had " +
                                                  std::to_string(reached.upto));
  }
  reached.upto = after;
  reached.most = std::max(reached.most, after);
}

// Whatever was to move and did not, is not where it should be.
void Work::destroyed_by_moves(Book& book, const engine::StepPlan& plan, size_t first_failed) {
  for (size_t i = first_failed; i < plan.moves.size(); ++i) {
    if (const auto id = named_by(plan.moves[i])) of(*id).upto = 0;
    const auto seq = changed_by(plan.moves[i]);
    for (const Record* record : book.live()) {
      if (seq && record->seq == seq) of(record->id).upto = 0;
    }
  }
}

}  // namespace sluice::sim
