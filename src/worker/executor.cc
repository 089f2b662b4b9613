#include "worker/executor.h"

#include <algorithm>
#include <optional>

#include "base/check.h"

namespace sluice::worker {
namespace {

// Draws while the runtime emits, because a row lives only that long. The time of drawing is not the runtime's.
class SamplingSink final : public LogitsSink {
 public:
  SamplingSink(const engine::Engine& engine, engine::Sampler& sampler, const engine::PlannedCall& call)
      : engine_(engine), sampler_(sampler), call_(call) {}

  void on_logits(SequenceId seq, Position position, std::span<const float> row) override {
    const TimePoint begun = Clock::now();
    const engine::PlannedFeed& feed = feed_of(seq);
    const engine::SamplingView view = engine_.sampling_view(feed.generation);
    const engine::DrawKey key{view.params->seed, view.choice, static_cast<uint32_t>(position) + 1};
    sampled.push_back(
        {feed.generation, sampler_.sample(row, *view.params, view.known, view.prompt_tokens, view.forbidden, key)});
    drawing += Clock::now() - begun;
  }

  void on_likeliest(SequenceId seq, Position, std::optional<Token> token) override {
    std::optional<Choice> choice;
    if (token) choice = {*token, 0, {}};
    sampled.push_back({feed_of(seq).generation, std::move(choice)});
  }

  std::vector<engine::SampledToken> sampled;
  Duration drawing{};

 private:
  const engine::PlannedFeed& feed_of(SequenceId seq) const {
    const auto found = std::lower_bound(call_.feeds.begin(), call_.feeds.end(), seq,
                                        [](const engine::PlannedFeed& feed, SequenceId id) { return feed.seq < id; });
    CHECK(found != call_.feeds.end() && found->seq == seq && found->sample);
    return *found;
  }

  const engine::Engine& engine_;
  engine::Sampler& sampler_;
  const engine::PlannedCall& call_;
};

struct DoMove {
  Runtime& runtime;
  HostKv& parked;
  Result<void> operator()(const engine::DropKv& move) const {
    runtime.drop(move.seq);
    return {};
  }
  Result<void> operator()(const engine::TruncateKv& move) const { return runtime.truncate(move.seq, move.upto); }
  Result<void> operator()(const engine::CopyKv& move) const { return runtime.copy(move.from, move.to, move.upto); }
  Result<void> operator()(const engine::ExportKv& move) const {
    auto snapshot = runtime.export_kv(move.seq, move.upto);
    if (!snapshot) return std::unexpected(snapshot.error());
    parked.insert_or_assign(move.generation, *std::move(snapshot));
    return {};
  }
  Result<void> operator()(const engine::ImportKv& move) const {
    const auto found = parked.find(move.generation);
    CHECK(found != parked.end());
    const auto imported = runtime.import_kv(move.seq, found->second);
    if (imported) parked.erase(found);
    return imported;
  }
  Result<void> operator()(const engine::ForgetKv& move) const {
    parked.erase(move.generation);
    return {};
  }
};

bool is_fatal(const Result<void>& outcome) { return !outcome && outcome.error().code == ErrorCode::fatal; }

}  // namespace

Executor::Executor(Runtime& runtime, const engine::Engine& engine)
    : runtime_(runtime), engine_(engine), sampler_(runtime.capabilities().vocabulary) {}

engine::StepResult Executor::execute(const engine::StepPlan& plan) {
  engine::StepResult result;
  for (const engine::KvMove& planned : plan.moves) {
    result.moves.push_back(move(planned));
    if (!result.moves.back().outcome) return result;
  }
  for (const engine::PlannedCall& planned : plan.calls) {
    result.calls.push_back(call(planned));
    if (is_fatal(result.calls.back().outcome)) return result;
  }
  return result;
}

engine::MoveResult Executor::move(const engine::KvMove& move) {
  const TimePoint begun = Clock::now();
  Result<void> outcome = std::visit(DoMove{runtime_, parked_}, move);
  return {std::move(outcome), Clock::now() - begun};
}

LogitsWanted Executor::logits_of(const engine::PlannedFeed& feed) const {
  if (!feed.sample) return LogitsWanted::none;
  if (!runtime_.capabilities().device_sampling.holds) return LogitsWanted::last;
  const engine::SamplingView view = engine_.sampling_view(feed.generation);
  return engine::picks_likeliest(*view.params, view.forbidden) ? LogitsWanted::likeliest : LogitsWanted::last;
}

engine::CallResult Executor::call(const engine::PlannedCall& call) {
  feeds_.clear();
  for (const engine::PlannedFeed& feed : call.feeds) {
    feeds_.push_back({feed.seq, feed.tokens, feed.first, logits_of(feed)});
  }
  engine::CallResult result;
  result.passes = runtime_.passes_of(feeds_).passes;
  SamplingSink sink(engine_, sampler_, call);
  const TimePoint begun = Clock::now();
  result.outcome = runtime_.step(feeds_, sink);
  result.elapsed = Clock::now() - begun - sink.drawing;
  result.drawing = sink.drawing;
  result.sampled = std::move(sink.sampled);
  for (const engine::PlannedFeed& feed : call.feeds) {
    result.computed.push_back({feed.seq, runtime_.computed(feed.seq)});
  }
  return result;
}

const Error* fatal_error(const engine::StepResult& result) {
  for (const engine::MoveResult& move : result.moves) {
    if (is_fatal(move.outcome)) return &move.outcome.error();
  }
  for (const engine::CallResult& call : result.calls) {
    if (is_fatal(call.outcome)) return &call.outcome.error();
  }
  return nullptr;
}

}  // namespace sluice::worker
