#include "sim/chunk.h"

#include <fmt/format.h>

namespace sluice::sim {
namespace {

constexpr size_t kSmallestPiece = 3;

}  // namespace

void check_chunk(Duration chunk_time, Duration call_cost, const engine::StepPlan& plan, Verdict& verdict) {
  Duration predicted{};
  size_t rows = 0;
  for (const engine::PlannedCall& call : plan.calls) {
    if (call.kind != engine::CallKind::prefill) continue;
    predicted += call.predicted;
    for (const engine::PlannedFeed& feed : call.feeds) rows += feed.tokens.size();
  }
  const Duration most = call_cost > chunk_time ? 2 * call_cost : chunk_time;
  if (rows <= kSmallestPiece || predicted <= most) return;
  verdict.fail("a chunk is bounded",
               fmt::format("{} rows of prompts are predicted to take {:.1f} ms, at most {:.1f} ms", rows,
                           to_ms(predicted), to_ms(most)));
}

}  // namespace sluice::sim
