// What a step's result means: first for the KV in the sequences, while every generation of the plan still lives; then
// for the generations.
#include <algorithm>
#include <utility>

#include "base/check.h"
#include "engine/engine.h"

namespace sluice::engine {
namespace {

template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};

enum class Meaning : uint8_t {
  computed,  // as far as the runtime says
  no_room,   // nothing changed
  lost,      // the sequences of the call are
  over,      // the runtime is
};

Meaning meaning_of(const Result<void>& outcome) {
  if (outcome) return Meaning::computed;
  switch (outcome.error().code) {
    case ErrorCode::cancelled: return Meaning::computed;
    case ErrorCode::capacity: return Meaning::no_room;
    case ErrorCode::fatal: return Meaning::over;
    case ErrorCode::invalid:
    case ErrorCode::unsupported:
    case ErrorCode::context_length:
    case ErrorCode::not_found:
    case ErrorCode::unauthorized:
    case ErrorCode::too_large:
    case ErrorCode::overloaded:
    case ErrorCode::unavailable:
    case ErrorCode::timed_out:
    case ErrorCode::fault:
    case ErrorCode::worker_lost:
    case ErrorCode::protocol:
    case ErrorCode::io:
    case ErrorCode::internal:
    case ErrorCode::rate_limit_requests:
    case ErrorCode::rate_limit_tokens:
    case ErrorCode::concurrency_limit:
    case ErrorCode::key_queue_full:
    case ErrorCode::queue_full:
    case ErrorCode::queue_timeout:
    case ErrorCode::queue_too_long:
    case ErrorCode::key_queue_too_long: return Meaning::lost;
  }
  UNREACHABLE();
}

// The sequence that a move is about to change.
std::optional<SequenceId> changed_by(const KvMove& move) {
  using Changed = std::optional<SequenceId>;
  return std::visit(
      Overloaded{[](const DropKv& m) { return Changed(m.seq); }, [](const TruncateKv& m) { return Changed(m.seq); },
                 [](const CopyKv& m) { return Changed(m.to); }, [](const ImportKv& m) { return Changed(m.seq); },
                 [](const ExportKv&) { return Changed(); }, [](const ForgetKv&) { return Changed(); }},
      move);
}

bool copies_from(const StepPlan& plan, SequenceId seq) {
  return std::ranges::any_of(plan.moves, [seq](const KvMove& move) {
    const auto* copy = std::get_if<CopyKv>(&move);
    return copy != nullptr && copy->from == seq;
  });
}

Position computed_of(const CallResult& result, SequenceId seq) {
  const auto it = std::ranges::find(result.computed, seq, &ComputedSequence::seq);
  CHECK(it != result.computed.end());
  return it->computed;
}

Error no_token_error() {
  return {ErrorCode::fault, "no token could be chosen: the model's logits here are NaN or minus infinity", {}};
}

// A fatal outcome is the last entry of its list.
const Error* fatal_error(const StepResult& result) {
  const auto last = [](const auto& list) -> const Error* {
    if (list.empty() || meaning_of(list.back().outcome) != Meaning::over) return nullptr;
    return &list.back().outcome.error();
  };
  const Error* move = last(result.moves);
  return move != nullptr ? move : last(result.calls);
}

}  // namespace

void Engine::on_step_done(const StepPlan& plan, StepResult result, TimePoint now) {
  CHECK(in_step_ && plan.step == steps_planned_);
  CHECK(result.moves.size() <= plan.moves.size() && result.calls.size() <= plan.calls.size());
  in_step_ = false;
  last_step_ = now;
  arrivals_.clear();
  const std::vector<Failure> failures = settle_moves(plan, result);
  for (size_t i = 0; i < result.calls.size(); ++i) settle_call(plan.calls[i], result.calls[i], now);

  for (const Failure& f : failures) fail_generation(f.generation, f.error);
  for (size_t i = 0; i < result.calls.size(); ++i) {
    switch (meaning_of(result.calls[i].outcome)) {
      case Meaning::computed: take_samples(plan.calls[i], result.calls[i]); break;
      case Meaning::no_room: break;
      case Meaning::lost: fail_call(plan.calls[i], result.calls[i].outcome.error()); break;
      case Meaning::over: break;
    }
  }
  if (const Error* end = fatal_error(result)) return fail_all(*end);
  const auto no_room = std::ranges::find(result.calls, Meaning::no_room,
                                         [](const CallResult& call) { return meaning_of(call.outcome); });
  if (no_room != result.calls.end()) make_room(no_room->outcome.error());
}

std::vector<Engine::Failure> Engine::settle_moves(const StepPlan& plan, StepResult& result) {
  std::vector<Failure> failures;
  for (size_t i = 0; i < plan.moves.size(); ++i) {
    const KvMove& move = plan.moves[i];
    if (i < result.moves.size()) totals_.move_time += result.moves[i].elapsed;
    if (i >= result.moves.size()) {
      settle_skipped_move(plan, move);
    } else if (result.moves[i].outcome) {
      apply(move, result.moves[i].elapsed);
    } else if (auto failure = settle_failed_move(move, std::move(result.moves[i].outcome.error()))) {
      failures.push_back(std::move(*failure));
    }
  }
  return failures;
}

void Engine::apply(const KvMove& move, Duration elapsed) {
  std::visit(Overloaded{[this](const DropKv& m) { sequences_.clear(m.seq); },
                        [this](const TruncateKv& m) { sequences_.cut(m.seq, m.upto); },
                        [&](const CopyKv& m) {
                          costs_.learn_copy(elapsed);
                          apply_copy(m);
                        },
                        [&](const ExportKv& m) { costs_.learn_export(m.upto, elapsed); },
                        [&](const ImportKv& m) {
                          costs_.learn_import(m.upto, elapsed);
                          apply_import(m);
                        },
                        [](const ForgetKv&) {}},
             move);
}

// Its holder goes along.
void Engine::apply_copy(const CopyKv& copy) {
  Generation& holder = roster_.at(*sequences_.at(copy.from).holder);
  sequences_.copy(copy.from, copy.to, copy.upto);
  sequences_.release(copy.from);
  sequences_.hold(copy.to, holder.id());
  holder.move_to(copy.to);
}

void Engine::apply_import(const ImportKv& import) {
  Generation& holder = roster_.at(import.generation);
  CHECK(holder.parked() && holder.parked()->tokens == import.upto);
  const auto tokens = std::span(holder.known()).first(static_cast<size_t>(import.upto));
  sequences_.fill(import.seq, tokens, holder.parked()->wide_upto);
  holder.unpark();
}

// Its tokens are computed again: the generation itself goes on.
void Engine::lose_parked(GenerationId id) {
  Generation* generation = roster_.find(id);
  if (generation == nullptr || !generation->parked()) return;
  totals_.tokens_again += static_cast<uint64_t>(generation->parked()->tokens);
  generation->unpark();
  forgotten_.push_back(id);
}

// Whoever was to run on a sequence that could not be changed cannot; but what could not be moved to host memory or back
// is computed again.
std::optional<Engine::Failure> Engine::settle_failed_move(const KvMove& move, Error error) {
  if (const auto* copy = std::get_if<CopyKv>(&move)) return settle_failed_copy(*copy, std::move(error));
  if (const auto* exported = std::get_if<ExportKv>(&move)) {
    exports_work_ = error.code == ErrorCode::capacity;
    lose_parked(exported->generation);
    return std::nullopt;
  }
  if (const auto* forget = std::get_if<ForgetKv>(&move)) {
    forgotten_.push_back(forget->generation);
    return std::nullopt;
  }
  const auto seq = changed_by(move);
  CHECK(seq);
  sequences_.lose(*seq);
  if (const auto* import = std::get_if<ImportKv>(&move)) {
    lose_parked(import->generation);
    return std::nullopt;
  }
  const std::optional<GenerationId> holder = sequences_.at(*seq).holder;
  if (!holder) return std::nullopt;
  return Failure{*holder, std::move(error)};
}

// A failed copy leaves its source as it was, unless the runtime says that it is lost: the generation stays there, and
// no copy is tried again.
std::optional<Engine::Failure> Engine::settle_failed_copy(const CopyKv& copy, Error error) {
  copy_works_ = false;
  sequences_.lose(copy.to);
  const std::optional<GenerationId> holder = sequences_.at(error.code == ErrorCode::fault ? copy.from : copy.to).holder;
  if (!holder) return std::nullopt;
  return Failure{*holder, std::move(error)};
}

// A sequence that was to be cleaned and was not holds more than its generation may use. The source of a copy that did
// not happen is as good as before.
void Engine::settle_skipped_move(const StepPlan& plan, const KvMove& move) {
  if (const auto* exported = std::get_if<ExportKv>(&move)) lose_parked(exported->generation);
  if (const auto* forget = std::get_if<ForgetKv>(&move)) forgotten_.push_back(forget->generation);
  if (const auto* import = std::get_if<ImportKv>(&move)) lose_parked(import->generation);
  const auto seq = changed_by(move);
  if (!seq) return;
  const Sequence& s = sequences_.at(*seq);
  if (!s.holder || s.lost || copies_from(plan, *seq)) return;
  sequences_.lose(*seq);
  roster_.at(*s.holder).forget_cached();
}

void Engine::settle_call(const PlannedCall& call, const CallResult& result, TimePoint now) {
  switch (meaning_of(result.outcome)) {
    case Meaning::computed:
      for (const PlannedFeed& feed : call.feeds) settle_feed(feed, result, now);
      count(call, result);
      return;
    case Meaning::no_room: return;
    case Meaning::lost:
    case Meaning::over:
      for (const PlannedFeed& feed : call.feeds) sequences_.lose(feed.seq);
      return;
  }
}

void Engine::settle_feed(const PlannedFeed& feed, const CallResult& result, TimePoint now) {
  const Position before = feed.first;
  const Position after = computed_of(result, feed.seq);
  const Position planned = before + static_cast<Position>(feed.tokens.size());
  CHECK(sequences_.at(feed.seq).computed() == before);
  CHECK(result.outcome ? after == planned : after >= 0 && after <= planned);
  if (after < before) return sequences_.cut(feed.seq, after);
  sequences_.append(feed.seq, feed.tokens.first(static_cast<size_t>(after - before)));
  Generation& generation = roster_.at(feed.generation);
  const auto prompt = std::clamp(static_cast<Position>(generation.prompt_tokens()), before, after);
  const auto of_prompt = static_cast<uint64_t>(prompt - before), of_answer = static_cast<uint64_t>(after - prompt);
  if (after > before) roster_.serve(generation, kPromptWeight * of_prompt + kAnswerWeight * of_answer, now);
}

void Engine::count(const PlannedCall& call, const CallResult& result) {
  const CallShape shape = shape_of(call, config_.adjacent_ids_per_pass);
  if (result.outcome) costs_.learn(call.kind, shape, result.elapsed);
  (call.kind == CallKind::decode ? totals_.rows_decode : totals_.rows_prefill) += shape.rows;
  totals_.calls_prefill += call.kind == CallKind::prefill;
  (call.kind == CallKind::decode ? totals_.decode_time : totals_.prefill_time) += result.elapsed;
  totals_.draw_time += result.drawing;
  totals_.passes += result.passes;
  ++totals_.calls;
}

void Engine::take_samples(const PlannedCall& call, CallResult& result) {
  for (SampledToken& sampled : result.sampled) {
    const auto feed = std::ranges::find(call.feeds, sampled.generation, &PlannedFeed::generation);
    CHECK(feed != call.feeds.end() && feed->sample);
    take_sample(*feed, std::move(sampled.choice));
  }
  if (!result.outcome) return;
  CHECK(std::ranges::count(call.feeds, true, &PlannedFeed::sample) == std::ssize(result.sampled));
}

// Without its row's KV a draw does not count: an aborted call may have lost it. It is drawn again, the same.
void Engine::take_sample(const PlannedFeed& feed, std::optional<Choice> choice) {
  Generation* generation = roster_.find(feed.generation);
  if (generation == nullptr) return;  // it failed in this step
  if (sequences_.at(feed.seq).tokens.size() != generation->known().size()) return;
  if (!choice) return fail_generation(feed.generation, no_token_error());
  CHECK(choice->token >= 0 && static_cast<uint32_t>(choice->token) < config_.vocabulary);
  generation->add(choice->token);
  const bool is_end = is_end_token(choice->token);
  facts_.emplace_back(TokenFact{generation->id(), *std::move(choice), is_end});
  if (const auto reason = ended_by(*generation, is_end)) end_with(*generation, *reason);
}

bool Engine::is_end_token(Token token) const {
  return std::ranges::find(config_.end_tokens, token) != config_.end_tokens.end();
}

std::optional<FinishReason> Engine::ended_by(const Generation& generation, bool is_end_token) const {
  if (is_end_token) return FinishReason::stop;
  if (generation.may_produce() == 0 || generation.known().size() >= config_.window) return FinishReason::length;
  return std::nullopt;
}

// A call that the runtime refuses is a mistake of the plan, and no fault of any request in it.
void Engine::fail_call(const PlannedCall& call, const Error& error) {
  const bool is_fault = error.code == ErrorCode::fault;
  const Error told = is_fault ? error : Error{ErrorCode::internal, "the runtime refused a step: " + error.message, {}};
  for (const PlannedFeed& feed : call.feeds) fail_generation(feed.generation, told);
}

// A cached sequence goes first, the one that was used longest ago; then the generation that started last, so that those
// before it end.
void Engine::make_room(const Error& error) {
  if (const auto cached = sequences_.least_recently_used()) {
    sequences_.lose(*cached);
  } else if (!roster_.running().empty()) {
    fail_generation(roster_.running().back()->id(), error);
  }
}

void Engine::fail_all(const Error& error) {
  while (!roster_.running().empty()) fail_generation(roster_.running().front()->id(), error);
  while (!roster_.preempted().empty()) fail_generation(roster_.preempted().front()->id(), error);
  while (!roster_.waiting().empty()) fail_generation(roster_.waiting().front()->id(), error);
}

// What a failed generation leaves in its sequence is not trusted.
void Engine::fail_generation(GenerationId id, const Error& error) {
  Generation* generation = roster_.find(id);
  if (generation == nullptr) return;
  facts_.emplace_back(GenerationFailedFact{id, error});
  if (generation->keeps_sequence()) sequences_.lose(generation->sequence());
  leave(*generation);
}

}  // namespace sluice::engine
