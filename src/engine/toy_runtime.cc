#include "engine/toy_runtime.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/adjacency.h"

namespace sluice::engine {
namespace {

uint64_t mix(uint64_t x) {  // splitmix64's finalizer
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

Result<void> outcome_of(const Mishap& mishap) { return fail(mishap.code, "scripted"); }

uint32_t passes_of(const PlannedCall& call, bool adjacent) {
  IdSet ids;
  for (const PlannedFeed& feed : call.feeds) ids = with(ids, feed.seq);
  return adjacent ? runs_of(ids) : 1;
}

}  // namespace

ToyRuntime::ToyRuntime(EngineConfig config, bool width_matters)
    : config_(std::move(config)), width_matters_(width_matters), sequences_(config_.lanes), poisoned_(config_.lanes) {}

void ToyRuntime::add(Rows& rows, Token token, bool alone) const {
  const uint64_t before = rows.empty() ? 1 : rows.back().state;
  const uint64_t width = width_matters_ && alone ? 1 : 0;
  rows.push_back({token, mix(before ^ mix(static_cast<uint64_t>(token) * 2 + width))});
}

Token ToyRuntime::next_token(const Rows& rows, std::span<const Token> forbidden) const {
  uint64_t state = rows.back().state;
  for (;;) {
    const auto token = static_cast<Token>(state % config_.vocabulary);
    if (std::ranges::find(forbidden, token) == forbidden.end()) return token;
    state = mix(state);
  }
}

StepResult ToyRuntime::carry_out(const StepPlan& plan, const Engine& engine) {
  StepResult result;
  for (const KvMove& move : plan.moves) {
    result.moves.push_back(carry_out(move));
    if (!result.moves.back().outcome) return result;
  }
  for (const PlannedCall& call : plan.calls) {
    result.calls.push_back(carry_out(call, engine));
    const auto& outcome = result.calls.back().outcome;
    if (!outcome && outcome.error().code == ErrorCode::fatal) break;
  }
  return result;
}

MoveResult ToyRuntime::carry_out(const KvMove& move) {
  if (const auto mishap = move_mishap ? move_mishap(move) : std::nullopt) return {outcome_of(*mishap), {}};
  if (const auto* drop = std::get_if<DropKv>(&move)) {
    rows_of(drop->seq).clear();
    poisoned_.at(static_cast<size_t>(drop->seq.raw)) = false;
  } else if (const auto* cut = std::get_if<TruncateKv>(&move)) {
    EXPECT_TRUE(config_.can_truncate);
    EXPECT_TRUE(cut->upto > 0 && cut->upto < static_cast<Position>(rows_of(cut->seq).size()));
    rows_of(cut->seq).resize(static_cast<size_t>(cut->upto));
  } else if (const auto* exported = std::get_if<ExportKv>(&move)) {
    return carry_out(*exported);
  } else if (const auto* import = std::get_if<ImportKv>(&move)) {
    return carry_out(*import);
  } else if (const auto* forget = std::get_if<ForgetKv>(&move)) {
    parked_.erase(forget->generation.raw);
  } else {
    const auto& copy = std::get<CopyKv>(move);
    EXPECT_TRUE(config_.can_copy);
    EXPECT_TRUE(copy.upto > 0 && copy.upto <= static_cast<Position>(rows_of(copy.from).size()));
    rows_of(copy.to) = rows_of(copy.from);
    rows_of(copy.to).resize(static_cast<size_t>(copy.upto));
    return {{}, copy_time};
  }
  return {{}, std::chrono::microseconds(1)};
}

MoveResult ToyRuntime::carry_out(const ExportKv& move) {
  EXPECT_TRUE(config_.can_export);
  EXPECT_FALSE(poisoned_.at(static_cast<size_t>(move.seq.raw)));
  EXPECT_TRUE(move.upto > 0 && move.upto <= static_cast<Position>(rows_of(move.seq).size()));
  Rows rows = rows_of(move.seq);
  rows.resize(static_cast<size_t>(move.upto));
  EXPECT_TRUE(parked_.emplace(move.generation.raw, std::move(rows)).second);
  return {{}, copy_time};
}

MoveResult ToyRuntime::carry_out(const ImportKv& move) {
  const auto found = parked_.find(move.generation.raw);
  if (found == parked_.end()) {
    ADD_FAILURE() << "generation " << move.generation.raw << " is not in host memory";
    return {fail(ErrorCode::fault, "nothing to import"), {}};
  }
  EXPECT_FALSE(poisoned_.at(static_cast<size_t>(move.seq.raw)));
  EXPECT_EQ(static_cast<Position>(found->second.size()), move.upto);
  rows_of(move.seq) = std::move(found->second);
  parked_.erase(found);
  return {{}, copy_time};
}

void ToyRuntime::check(const PlannedCall& call) const {
  EXPECT_FALSE(call.feeds.empty());
  EXPECT_TRUE(std::ranges::is_sorted(call.feeds, std::ranges::less_equal{}, &PlannedFeed::seq) &&
              std::ranges::adjacent_find(call.feeds, {}, &PlannedFeed::seq) == call.feeds.end());
  size_t rows = 0;
  for (const PlannedFeed& feed : call.feeds) {
    const auto seq = static_cast<size_t>(feed.seq.raw);
    EXPECT_FALSE(feed.tokens.empty());
    EXPECT_EQ(static_cast<size_t>(feed.first), sequences_.at(seq).size()) << "sequence " << seq;
    EXPECT_FALSE(poisoned_.at(seq)) << "sequence " << seq << " was lost and not dropped";
    EXPECT_LE(feed.first + static_cast<Position>(feed.tokens.size()), static_cast<Position>(config_.window));
    rows += feed.tokens.size();
  }
  EXPECT_LE(rows, config_.call_tokens);
}

void ToyRuntime::compute(const PlannedFeed& feed, Position rows) {
  for (Position i = 0; i < rows; ++i) {
    add(rows_of(feed.seq), feed.tokens[static_cast<size_t>(i)], feed.tokens.size() == 1);
  }
}

void ToyRuntime::suffer(const Mishap& mishap, const PlannedCall& call) {
  for (const PlannedFeed& feed : call.feeds) {
    if (mishap.code == ErrorCode::fault) poisoned_.at(static_cast<size_t>(feed.seq.raw)) = true;
    if (mishap.code != ErrorCode::cancelled) continue;
    if (mishap.rows_done < 0) rows_of(feed.seq).clear();
    compute(feed, std::clamp(mishap.rows_done, 0, static_cast<Position>(feed.tokens.size())));
  }
}

SampledToken ToyRuntime::draw(const PlannedFeed& feed, const Rows& rows, const Engine& engine) const {
  if (without_token && without_token(feed)) return {feed.generation, std::nullopt};
  const Token token = next_token(rows, engine.sampling_view(feed.generation).forbidden);
  return {feed.generation, Choice{.token = token, .logprob = 0, .top = {}}};
}

CallResult ToyRuntime::carry_out(const PlannedCall& call, const Engine& engine) {
  check(call);
  CallResult result;
  const auto mishap = call_mishap ? call_mishap(call) : std::nullopt;
  for (const PlannedFeed& feed : call.feeds) {
    Rows rows = rows_of(feed.seq);
    for (const Token token : feed.tokens) add(rows, token, feed.tokens.size() == 1);
    EXPECT_EQ(feed.sample, rows.size() == engine.sampling_view(feed.generation).known.size());
    if (feed.sample && (!mishap || mishap->drawn)) {
      const bool kept = !mishap || mishap->rows_done >= static_cast<Position>(feed.tokens.size());
      if (!kept) rows.back().state = mix(rows.back().state);
      result.sampled.push_back(draw(feed, rows, engine));
    }
    if (mishap) continue;
    rows_of(feed.seq) = std::move(rows);
    rows_fed_ += feed.tokens.size();
  }
  if (mishap) {
    suffer(*mishap, call);
    result.outcome = outcome_of(*mishap);
  } else {
    result.passes = passes_of(call, config_.adjacent_ids_per_pass);
    result.elapsed = call_time ? call_time(call, result.passes) : call.predicted;
  }
  for (const PlannedFeed& feed : call.feeds) {
    result.computed.push_back({feed.seq, static_cast<Position>(rows_of(feed.seq).size())});
  }
  return result;
}

std::vector<Token> ToyRuntime::answer_alone(const EngineConfig& config, const GenerationSpec& spec,
                                            bool width_matters) {
  const ToyRuntime toy(config, width_matters);
  const std::vector<Token> forbidden = spec.ignore_eos ? config.end_tokens : std::vector<Token>{};
  Rows rows;
  for (const Token token : spec.prompt) toy.add(rows, token, spec.prompt.size() == 1);
  std::vector<Token> answer;
  for (;;) {
    const Token token = toy.next_token(rows, forbidden);
    answer.push_back(token);
    const bool is_end = std::ranges::find(config.end_tokens, token) != config.end_tokens.end();
    if (is_end || answer.size() == spec.max_tokens) return answer;
    if (spec.prompt.size() + answer.size() == config.window) return answer;
    toy.add(rows, token, true);
  }
}

}  // namespace sluice::engine
