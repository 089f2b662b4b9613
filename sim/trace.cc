#include "sim/trace.h"

#include <fmt/format.h>

#include <string>

namespace sluice::sim {
namespace {

std::string name_of(const Record& record) {
  return fmt::format("{}{}", record.id.raw, sluice::name_of(record.spec.cls).front());
}

double ms(TimePoint t) { return to_ms(t.time_since_epoch()); }

void note(std::string& cell, const std::string& what) {
  if (!cell.empty()) cell += ' ';
  cell += what;
}

void note(std::vector<std::string>& cells, const engine::KvMove& move) {
  const auto cell = [&](SequenceId seq) -> std::string& { return cells[static_cast<size_t>(seq.raw)]; };
  if (const auto* m = std::get_if<engine::ExportKv>(&move)) note(cell(m->seq), fmt::format(">{}", m->upto));
  if (const auto* m = std::get_if<engine::ImportKv>(&move)) note(cell(m->seq), fmt::format("<{}", m->upto));
  if (const auto* m = std::get_if<engine::TruncateKv>(&move)) note(cell(m->seq), fmt::format("|{}", m->upto));
  if (const auto* m = std::get_if<engine::DropKv>(&move)) note(cell(m->seq), "0");
  if (const auto* m = std::get_if<engine::CopyKv>(&move)) note(cell(m->to), fmt::format("c{}", m->from.raw));
}

std::string outcome_of(const Result<void>& outcome) {
  return outcome ? std::string() : fmt::format("!{}", name_of(outcome.error().code));
}

void note(std::vector<std::string>& cells, const Book& book, const engine::PlannedCall& call,
          const engine::CallResult* result) {
  for (const engine::PlannedFeed& feed : call.feeds) {
    const std::string rows =
        call.kind == engine::CallKind::decode ? std::string("d") : fmt::format("p{}", feed.tokens.size());
    const std::string outcome = result == nullptr ? std::string("!skipped") : outcome_of(result->outcome);
    const std::string what = fmt::format("{} {}{}", name_of(book.at(feed.generation)), rows, outcome);
    note(cells[static_cast<size_t>(feed.seq.raw)], what);
  }
}

}  // namespace

void Trace::say(const std::string& text) {
  if (on()) *out_ << text << "\n";
}

void Trace::event(TimePoint now, const std::string& what) {
  if (on()) *out_ << fmt::format("{:12.2f}  - {}\n", ms(now), what);
}

void Trace::event(TimePoint now, const Record& record, const std::string& what) {
  if (on()) event(now, fmt::format("{} {}", name_of(record), what));
}

void Trace::step(const Book& book, const engine::StepPlan& plan, const engine::StepResult& result, uint32_t lanes,
                 TimePoint begun, TimePoint ended) {
  if (!on()) return;
  std::vector<std::string> cells(lanes);
  for (size_t i = 0; i < plan.moves.size(); ++i) {
    note(cells, plan.moves[i]);
    if (i < result.moves.size() && !result.moves[i].outcome) cells[0] += outcome_of(result.moves[i].outcome);
  }
  for (size_t i = 0; i < plan.calls.size(); ++i) {
    note(cells, book, plan.calls[i], i < result.calls.size() ? &result.calls[i] : nullptr);
  }
  for (const Record* record : book.live()) {
    if (record->seq && cells[static_cast<size_t>(record->seq->raw)].empty()) {
      cells[static_cast<size_t>(record->seq->raw)] = fmt::format("{} =", name_of(*record));
    }
  }
  *out_ << fmt::format("{:12.2f}{:9.2f}", ms(begun), to_ms(ended - begun));
  for (const std::string& cell : cells) *out_ << fmt::format("  {:<16}", cell);
  *out_ << "\n";
}

}  // namespace sluice::sim
