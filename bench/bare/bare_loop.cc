#include "bench/bare/bare_loop.h"

#include <algorithm>

namespace sluice::bench {
namespace {

constexpr size_t kTokensBetweenMoves = 8;

class KeepRow final : public LogitsSink {
 public:
  explicit KeepRow(std::vector<float>& row) : row_(row) {}
  void on_logits(SequenceId, Position, std::span<const float> row) override { row_.assign(row.begin(), row.end()); }

 private:
  std::vector<float>& row_;
};

}  // namespace

// The rows up to `upto` that are not computed yet, in calls as wide as the runtime takes; the last row's logits.
Result<void> BareLoop::feed(std::span<const Token> known, size_t upto) {
  KeepRow keep(row_);
  for (auto at = static_cast<size_t>(runtime_.computed(seq_)); at < upto;) {
    const size_t rows = std::min<size_t>(upto - at, runtime_.capabilities().pass_tokens);
    const auto wanted = at + rows == upto ? LogitsWanted::last : LogitsWanted::none;
    const Feed feed{seq_, known.subspan(at, rows), static_cast<Position>(at), wanted};
    if (auto stepped = runtime_.step({&feed, 1}, keep); !stepped) return stepped;
    at += rows;
  }
  return {};
}

Result<void> BareLoop::move(Moves moves) {
  const SequenceId from = seq_, to{seq_.raw == 0 ? 1 : 0};
  if (moves == Moves::none) return {};
  auto moved = moves == Moves::copied ? runtime_.copy(from, to, runtime_.computed(from)) : move_by_import(to);
  if (!moved) return moved;
  runtime_.drop(from);
  seq_ = to;
  return {};
}

Result<void> BareLoop::move_by_import(SequenceId to) {
  auto snapshot = runtime_.export_kv(seq_, runtime_.computed(seq_));
  if (!snapshot) return std::unexpected(snapshot.error());
  return runtime_.import_kv(to, *snapshot);
}

Result<BareAnswer> BareLoop::answer(std::span<const Token> prompt, const SamplingParams& sampling, uint32_t tokens,
                                    Moves moves) {
  const TimePoint begun = Clock::now();
  std::vector<Token> known(prompt.begin(), prompt.end());
  BareAnswer answer;
  if (moves != Moves::none) {
    if (auto fed = feed(known, prompt.size() / 2); !fed) return std::unexpected(fed.error());
    if (auto moved = move(moves); !moved) return std::unexpected(moved.error());
  }
  while (answer.tokens.size() < tokens) {
    if (auto fed = feed(known, known.size()); !fed) return std::unexpected(fed.error());
    const engine::DrawKey key{sampling.seed, 0, static_cast<uint32_t>(known.size())};
    const auto prompt_tokens = static_cast<uint32_t>(prompt.size());
    const auto choice = sampler_.sample(row_, sampling, known, prompt_tokens, runtime_.capabilities().end_tokens, key);
    if (!choice) return fail(ErrorCode::fault, "no token could be chosen: all logits are NaN or minus infinity");
    known.push_back(choice->token);
    answer.tokens.push_back(known.back());
    if (answer.tokens.size() == 1) answer.first = Clock::now() - begun;
    if (answer.tokens.size() % kTokensBetweenMoves != 0) continue;
    if (auto moved = move(moves); !moved) return std::unexpected(moved.error());
  }
  answer.total = Clock::now() - begun;
  runtime_.drop(seq_);
  return answer;
}

}  // namespace sluice::bench
