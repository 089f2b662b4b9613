#include "generation/generations.h"

#include <string>

#include "base/check.h"
#include "base/limits.h"

namespace sluice::generation {
namespace {

bool is_waiting_for_worker(GenerationState state) { return state == GenerationState::waiting_for_worker; }
bool is_at_worker(GenerationState state) {
  switch (state) {
    case GenerationState::waiting_for_worker: return false;
    case GenerationState::submitted:
    case GenerationState::accepted:
    case GenerationState::running: return true;
    case GenerationState::ended: return false;
  }
  UNREACHABLE();
}
bool is_live(GenerationState state) { return state != GenerationState::ended; }

bool ends(const proto::GenerationFact& fact) {
  return std::holds_alternative<Finished>(fact) || std::holds_alternative<Failed>(fact);
}

std::string_view why_taken_back(ErrorCode code) {
  if (code == ErrorCode::timed_out) return "its time was over before it began";
  if (code == ErrorCode::unavailable) return "the model was not ready in time; try again later";
  CHECK(code == ErrorCode::queue_timeout);
  return "it waited as long as --queue-time-ms lets it, and no lane was free; try again later";
}

}  // namespace

Generations::Generations(WorkerPort& worker, Duration queue_time) : worker_(worker), queue_time_(queue_time) {}

Result<void> Generations::may_start() const {
  if (refusal_) return std::unexpected(*refusal_);
  if (live_.size() >= limits::live_generations_max) {
    return sluice::fail(ErrorCode::overloaded, std::to_string(limits::live_generations_max) +
                                                   " answers are waiting or running already; try again later");
  }
  return {};
}

Result<GenerationId> Generations::start(GenerationSpec spec, TimePoint now, Listener listener) {
  CHECK(listener);
  if (auto allowed = may_start(); !allowed) {
    ++totals_.refused;
    return std::unexpected(std::move(allowed.error()));
  }
  if (spec.refuse_late) spec.lane_within = queue_time_;
  const GenerationId id{++last_id_};
  auto entry = std::make_shared<Entry>(Entry{Generation(std::move(spec), now), std::move(listener), now + queue_time_});
  live_.emplace(id, entry);
  if (worker_.ready()) submit(id, *entry, now);
  return id;
}

void Generations::submit(GenerationId id, Entry& entry, TimePoint now) {
  entry.generation.submitted(now);
  worker_.submit(id, entry.generation.spec());
}

void Generations::cancel(GenerationId id) {
  const auto found = live_.find(id);
  if (found == live_.end()) return;
  const bool at_worker = is_at_worker(found->second->generation.state());
  live_.erase(found);
  ++totals_.cancelled;
  if (at_worker) worker_.cancel(id);
}

void Generations::wait_on(GenerationId id) {
  const auto found = live_.find(id);
  if (found != live_.end()) found->second->queue_ends.reset();
}

void Generations::on_facts(std::vector<std::pair<GenerationId, proto::GenerationFact>> facts) {
  for (const auto& [id, fact] : facts) on_fact(id, fact);
}

void Generations::on_fact(GenerationId id, const proto::GenerationFact& fact) {
  const auto found = live_.find(id);
  if (found == live_.end()) return;
  const EntryPtr entry = found->second;
  const GenerationState before = entry->generation.state();
  if (auto taken = entry->generation.apply(fact); !taken) {
    worker_.cancel(id);
    fail(id, std::move(taken.error()));
    return;
  }
  count(entry->generation, before, fact);
  deliver(id, entry, fact);
}

// A generation that ends is forgotten before its listener is told, so that the listener finds its place free.
void Generations::deliver(GenerationId id, const EntryPtr& entry, const proto::GenerationFact& fact) {
  if (ends(fact)) live_.erase(id);
  entry->listener(fact);
}

// `before`: the state in which the fact found it.
void Generations::count(const Generation& generation, GenerationState before, const proto::GenerationFact& fact) {
  if (const auto* started = std::get_if<Started>(&fact)) {
    totals_.prompt_tokens += generation.spec().prompt.size();
    totals_.cached_tokens += started->cached_tokens;
  } else if (const auto* output = std::get_if<Output>(&fact)) {
    totals_.completion_tokens += output->tokens.size();
  } else if (std::holds_alternative<Finished>(fact)) {
    ++totals_.finished;
  } else if (std::holds_alternative<Failed>(fact)) {
    ++(before == GenerationState::submitted ? totals_.refused : totals_.failed);
  }
}

void Generations::fail(GenerationId id, Error error) {
  const auto found = live_.find(id);
  if (found == live_.end()) return;
  const EntryPtr entry = found->second;
  entry->generation.fail();
  ++totals_.failed;
  deliver(id, entry, Failed{std::move(error)});
}

// A snapshot: listeners may start and cancel generations while the caller walks it.
std::vector<GenerationId> Generations::ids_in(bool (*wanted)(GenerationState)) const {
  std::vector<GenerationId> ids;
  for (const auto& [id, entry] : live_) {
    if (wanted(entry->generation.state())) ids.push_back(id);
  }
  return ids;
}

void Generations::on_worker_ready(TimePoint now) {
  on_tick(now);  // no worker is asked for what is over
  for (const GenerationId id : ids_in(is_waiting_for_worker)) {
    if (!worker_.ready()) return;  // lost already: on_worker_lost is on its way
    submit(id, *live_.at(id), now);
  }
}

void Generations::on_worker_lost(const Error& death) {
  for (const GenerationId id : ids_in(is_at_worker)) {
    const auto found = live_.find(id);
    if (found == live_.end()) continue;  // an earlier one's listener cancelled it
    Generation& generation = found->second->generation;
    if (generation.may_be_submitted_again()) {
      generation.wait_again();
    } else {
      fail(id, Error{ErrorCode::worker_lost, first_line(death.message), {}});
    }
  }
}

void Generations::on_worker_failed(const Error& cause) {
  end_all({ErrorCode::unavailable, "the model cannot be served: " + first_line(cause.message), {}});
}

void Generations::end_all(Error why) {
  refusal_ = std::move(why);
  for (const GenerationId id : ids_in(is_live)) fail(id, *refusal_);
}

// The worker keeps the deadline of what it has.
std::optional<Generations::Due> Generations::due(const Entry& entry) const {
  const Generation& generation = entry.generation;
  std::optional<Due> first;
  const auto add = [&first](std::optional<TimePoint> at, ErrorCode code) {
    if (at && (!first || *at < first->at)) first = Due{*at, code};
  };
  switch (generation.state()) {
    case GenerationState::waiting_for_worker:
      add(generation.deadline(), ErrorCode::timed_out);
      add(generation.arrived() + limits::ready_wait_max, ErrorCode::unavailable);
      [[fallthrough]];
    case GenerationState::submitted:
    case GenerationState::accepted: add(entry.queue_ends, ErrorCode::queue_timeout); break;
    case GenerationState::running:
    case GenerationState::ended: break;
  }
  return first;
}

void Generations::on_tick(TimePoint now) {
  const auto first = next_deadline();
  if (!first || *first > now) return;
  for (const GenerationId id : ids_in(is_live)) {
    const auto found = live_.find(id);
    if (found == live_.end()) continue;  // an earlier one's listener cancelled it
    const auto over = due(*found->second);
    if (over && over->at <= now) take_back(id, over->code);
  }
}

void Generations::take_back(GenerationId id, ErrorCode why) {
  if (is_at_worker(live_.at(id)->generation.state())) worker_.cancel(id);
  fail(id, Error{why, std::string(why_taken_back(why)), {}});
}

std::optional<TimePoint> Generations::next_deadline() const {
  std::optional<TimePoint> first;
  for (const auto& [id, entry] : live_) {
    const auto next = due(*entry);
    if (next && (!first || next->at < *first)) first = next->at;
  }
  return first;
}

void Generations::refuse_new() {
  if (!refusal_) refusal_ = Error{ErrorCode::unavailable, "this server is shutting down; ask another one", {}};
}

GenerationCounts Generations::counts() const {
  GenerationCounts counts;
  for (const auto& [id, entry] : live_) {
    const bool runs = entry->generation.state() == GenerationState::running;
    ++(runs ? counts.running : counts.waiting);
    if (!runs) ++counts.waiting_of[static_cast<size_t>(entry->generation.spec().cls)];
  }
  return counts;
}

std::vector<std::pair<GenerationId, const Generation*>> Generations::live() const {
  std::vector<std::pair<GenerationId, const Generation*>> all;
  for (const auto& [id, entry] : live_) all.emplace_back(id, &entry->generation);
  return all;
}

}  // namespace sluice::generation
