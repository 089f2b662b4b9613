#include "sim/newcomers.h"

#include <algorithm>
#include <string>

#include "sim/ageing.h"

namespace sluice::sim {
namespace {

using namespace std::chrono_literals;

constexpr int kWorthOverCost = 10;
constexpr double kGuessedMoveUs = 5;

Duration worst_move(const Scenario& s) {
  return from_us(2 * s.config.window * std::max(kGuessedMoveUs, s.machine.move_us * (1 + s.machine.noise)));
}

}  // namespace

void Newcomers::add(GenerationId of, TimePoint& begun, Duration elapsed, Kind kind) {
  parts_.push_back({of, begun, begun + elapsed, kind});
  begun += elapsed;
}

Newcomers::Kind Newcomers::kind_of(const Book& book, const engine::PlannedCall& call, TimePoint begun) const {
  if (call.kind == engine::CallKind::decode) return Kind::other;
  const Record& record = book.at(call.feeds.front().generation);
  const uint64_t level = std::max(bucket(record.service), bucket(record.spec.prompt.size()));
  const bool up = level > 0 && begun - record.starved_since >= kStep * static_cast<int64_t>(level);
  return up || record.paused ? Kind::moved_up : Kind::prompt;
}

// What is past is kept until it cannot matter to anybody who waits for a first token.
void Newcomers::stepped(const Book& book, const engine::StepPlan& plan, const engine::StepResult& result,
                        TimePoint begun) {
  if (scenario_.shape != Shape::newcomers) return;
  const bool any = std::ranges::any_of(
      book.live(), [this](const Record* r) { return scenario_.clients[r->client].is_newcomer && r->answer.empty(); });
  if (!any) parts_.clear();
  const TimePoint planned = begun;
  Duration prefill{};
  for (const engine::MoveResult& move : result.moves) add({}, begun, move.elapsed, Kind::other);
  for (size_t i = 0; i < result.calls.size(); ++i) {
    const engine::PlannedCall& call = plan.calls[i];
    add(call.feeds.front().generation, begun, result.calls[i].elapsed, kind_of(book, call, planned));
    if (call.kind == engine::CallKind::prefill) prefill += result.calls[i].elapsed;
  }
  longest_prefill_ = std::max(longest_prefill_, prefill);
}

Duration Newcomers::overlap(const Part& part, const Record& record) const {
  return std::max(Duration{}, part.ended - std::max(part.begun, record.asked));
}

void Newcomers::first_token(const Record& record, TimePoint now) {
  if (!scenario_.clients[record.client].is_newcomer) return;
  Duration rest = now - record.asked, moved_up{};
  for (const Part& part : parts_) {
    if (part.kind == Kind::other || part.of == record.id) rest -= overlap(part, record);
    if (part.kind == Kind::moved_up && part.of < record.id) moved_up += overlap(part, record);
  }
  const Duration bound = 2 * longest_prefill_ + kWorthOverCost * worst_move(scenario_);
  ++answered_;
  if (rest > bound) ++beyond_;
  rest -= moved_up;
  worst_ = std::max(worst_, to_ms(rest) / to_ms(bound));
  if (rest <= bound) return;
  verdict_.fail("a newcomer does not wait for long work",
                "generation " + std::to_string(record.id.raw) + " waited for " + std::to_string(to_ms(rest)) +
                    " ms beside its own prefill, the answers of others and moves; at most " +
                    std::to_string(to_ms(bound)));
}

}  // namespace sluice::sim
