#include "sim/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/limits.h"

namespace sluice::sim {
namespace {

constexpr int kSlowAcks = 300;  // times the usual

}  // namespace

Simulation::Simulation(const Scenario& scenario, std::ostream* trace)
    : scenario_(scenario),
      random_(scenario.seed ^ 0x73696d),  // draws apart from those that made the scenario
      engine_(scenario.config),
      kv_(scenario.config, scenario.width_matters, verdict_),
      runner_(scenario, engine_, kv_, random_.fork()),
      clients_(scenario, random_.fork()),
      gate_(scenario.keys),
      trace_(trace),
      answers_(scenario, verdict_),
      lifecycle_(scenario, verdict_),
      work_(scenario, kv_, verdict_),
      waits_(scenario, kv_, verdict_),
      newcomers_(scenario, verdict_),
      fairness_(scenario, verdict_) {}

std::optional<Failing> Simulation::run(uint64_t steps_max) {
  for (const Wake& wake : clients_.first_wakes()) at(wake.at, wake);
  if (scenario_.weather.ends_fatally) at(TimePoint{} + scenario_.length * random_.below(100) / 100, FatalEvent{});
  while (verdict_.ok() && figures_.steps < steps_max && step()) {
  }
  if (figures_.steps < steps_max) over();
  return verdict_.first();
}

bool Simulation::step() {
  deliver();
  const engine::StepPlan plan = engine_.plan(now_);
  listen();
  observe(plan);
  if (plan.empty()) return pass_time();
  carry_out(plan);
  return true;
}

// Nothing to compute: until the next event.
bool Simulation::pass_time() {
  if (events_.empty()) {
    if (!engine_.idle()) verdict_.fail("nobody is forgotten", "generations live, and the engine plans nothing");
    return false;
  }
  now_ = std::max(now_, events_.begin()->first);
  return true;
}

void Simulation::deliver() {
  while (!events_.empty() && events_.begin()->first <= now_) {
    const Event event = events_.begin()->second;
    events_.erase(events_.begin());
    std::visit([this](const auto& one) { happen(one); }, event);
    engine_.check_invariants();
  }
}

void Simulation::happen(const Wake& wake) {
  if (now_.time_since_epoch() > scenario_.length) return;
  auto ask = clients_.ask(wake.client);
  if (!ask) return;
  submit(wake.client, std::move(*ask), wake.at);
  if (const auto next = clients_.after_asking(wake.client, wake.at)) at(next->at, *next);
}

void Simulation::submit(size_t client, Ask ask, TimePoint asked) {
  const auto key = gate_.key_of(ask.authorization);
  if (!key) return refused(client, ask, "its key opens nothing");
  ask.spec.key = *key;
  Record& record = book_.add();
  record.spec = ask.spec;
  record.client = client;
  record.talk = ask.talk;
  record.asked = asked;
  record.submitted = record.starved_since = now_;
  record.stop_after = ask.stop_after;
  if (const auto in = engine_.submit(record.id, ask.spec, now_); !in) {
    book_.take_back();
    return refused(client, ask, std::string(name_of(in.error().code)));
  }
  ++figures_.generations;
  answers_.accepted(record);
  waits_.accepted(record);
  trace_.event(now_, record,
               "comes: prompt " + std::to_string(record.spec.prompt.size()) + ", answer up to " +
                   std::to_string(record.spec.max_tokens) + ", " + std::string(scenario_.clients[client].name));
  if (ask.leaves_after) at(asked + *ask.leaves_after, LeaveEvent{record.id});
}

void Simulation::refused(size_t client, const Ask& ask, const std::string& why) {
  ++figures_.refused;
  trace_.event(now_, std::string(scenario_.clients[client].name) + " is refused: " + why);
  if (const auto next = clients_.after_refusal(client, ask.talk, now_)) at(next->at, *next);
}

void Simulation::happen(const LeaveEvent& leave) {
  Record& record = book_.at(leave.generation);
  engine_.cancel(leave.generation);  // whether or not it lives
  if (!record.lives()) return;
  ++figures_.left;
  end(record, Ending::left);
  trace_.event(now_, record, "leaves");
}

void Simulation::happen(const AckEvent& ack) {
  acknowledged_ = std::max(acknowledged_, ack.step);
  engine_.on_ack(ack.step);
}

void Simulation::happen(const FatalEvent&) { runner_.end_fatally(); }

void Simulation::carry_out(const engine::StepPlan& plan) {
  ++planned_;
  if (planned_ - acknowledged_ > limits::unacknowledged_steps_max) {
    verdict_.fail("back-pressure", "step " + std::to_string(planned_) + " is planned, and " +
                                       std::to_string(acknowledged_) + " was acknowledged last");
  }
  count(plan);
  engine::StepResult result = runner_.carry_out(plan);
  const TimePoint begun = now_;
  for (const engine::MoveResult& move : result.moves) now_ += move.elapsed;
  figures_.moves += now_ - begun;
  for (const engine::CallResult& call : result.calls) now_ += call.elapsed;
  figures_.busy += now_ - begun;
  check_host_memory();
  trace_.step(book_, plan, result, scenario_.config.lanes, begun, now_);
  newcomers_.stepped(book_, plan, result, begun);
  charge(plan, result);
  work_.stepped(book_, plan, result);
  engine_.on_step_done(plan, std::move(result), now_);
  engine_.check_invariants();
  listen();
  find_stops();
  fairness_.stepped(book_, waits_.keys(), std::ranges::max(waits_.longest()), now_);
  acknowledge(plan.step);
}

// In order: behind a slow one they all wait.
void Simulation::acknowledge(uint64_t step) {
  Duration after = from_us(random_.exponential(to_ms(scenario_.ack_after) * 1000));
  if (random_.chance(scenario_.slow_acks_percent)) after *= kSlowAcks;
  last_ack_ = std::max(last_ack_, now_ + after);
  at(last_ack_, AckEvent{step});
}

// What failed to move is forgotten one step later.
void Simulation::check_host_memory() {
  if (scenario_.weather.failed_moves > 0) return;
  const engine::EngineConfig& c = scenario_.config;
  const uint64_t most = c.parked_tokens_max > 0 ? c.parked_tokens_max : uint64_t{c.lanes} * c.window;
  uint64_t tokens = 0;
  for (const auto& [id, rows] : kv_.in_host_memory()) tokens += rows.size();
  if (tokens > most) {
    verdict_.fail("host memory is bounded", fmt::format("KV of {} tokens is in it, at most {}", tokens, most));
  }
}

void Simulation::count(const engine::StepPlan& plan) {
  ++figures_.steps;
  for (const engine::KvMove& move : plan.moves) {
    figures_.exports += std::holds_alternative<engine::ExportKv>(move);
    figures_.imports += std::holds_alternative<engine::ImportKv>(move);
    figures_.copies += std::holds_alternative<engine::CopyKv>(move);
  }
}

// Who has a lane now, who lost it.
void Simulation::observe(const engine::StepPlan& plan) {
  const std::vector<engine::Holding> holdings = engine_.holdings();
  for (Record* record : book_.live()) {
    const auto holding = std::ranges::find(holdings, record->id, &engine::Holding::generation);
    place(*record, holding == holdings.end() ? nullptr : &*holding);
  }
  lifecycle_.planned(book_, plan, now_);
  check_chunk(scenario_.config.chunk_time, engine_.prefill_call(), plan, verdict_);
  work_.planned(book_);
  waits_.planned(book_, plan, now_);
}

void Simulation::place(Record& record, const engine::Holding* holding) {
  const Place before = record.place;
  const auto seq = holding != nullptr ? std::optional(holding->seq) : std::nullopt;
  const bool runs = holding != nullptr && holding->runs;
  record.arrived = runs && before != Place::running && record.seq != seq;
  record.seq = seq;
  if (runs) {
    record.place = Place::running;
    if (before == Place::preempted) trace_.event(now_, record, "resumes");
    return;
  }
  if (before != Place::running) return;
  record.place = Place::preempted;
  if (!record.paused) record.starved_since = now_;
  record.paused = true;
  trace_.event(now_, record, "is preempted");
}

void Simulation::charge(const engine::StepPlan& plan, const engine::StepResult& result) {
  for (size_t i = 0; i < result.calls.size(); ++i) {
    const auto& outcome = result.calls[i].outcome;
    if (!outcome && outcome.error().code != ErrorCode::cancelled) continue;
    for (const engine::PlannedFeed& feed : plan.calls[i].feeds) {
      waits_.served(book_.at(feed.generation), feed.first, kv_.computed(feed.seq), now_);
    }
  }
}

void Simulation::listen() {
  for (const engine::Fact& fact : engine_.take_facts()) {
    std::visit([this](const auto& one) { hear(one); }, fact);
  }
}

void Simulation::hear(const engine::GenerationStartedFact& fact) {
  Record& record = book_.at(fact.generation);
  lifecycle_.said(record, fact);
  record.started = true;
  record.cached = fact.cached_tokens;
  trace_.event(now_, record, "starts, cached " + std::to_string(fact.cached_tokens));
}

void Simulation::hear(const engine::TokenFact& fact) {
  Record& record = book_.at(fact.generation);
  lifecycle_.said(record, fact);
  answers_.told(record, fact.choice.token);
  if (record.answer.empty()) newcomers_.first_token(record, now_);
  record.answer.push_back(fact.choice.token);
}

void Simulation::hear(const engine::GenerationFinishedFact& fact) {
  Record& record = book_.at(fact.generation);
  lifecycle_.said(record, fact, now_);
  record.reason = fact.reason;
  ++figures_.finished;
  end(record, Ending::finished);
  trace_.event(now_, record, "finishes: " + std::string(name_of(fact.reason)));
}

void Simulation::hear(const engine::GenerationFailedFact& fact) {
  Record& record = book_.at(fact.generation);
  lifecycle_.said(record, fact);
  ++figures_.failed;
  end(record, Ending::failed);
  trace_.event(now_, record, "fails: " + std::string(name_of(fact.error.code)));
}

// As the output does after a step.
void Simulation::find_stops() {
  const std::vector<Record*> live = book_.live();
  for (const Record* record : live) {
    if (record->stop_after == 0 || record->answer.size() < record->stop_after) continue;
    engine_.finish(record->id, FinishReason::stop);
    engine_.check_invariants();
  }
  listen();
}

void Simulation::end(Record& record, Ending ending) {
  if (!record.lives()) return;
  waits_.ended(record);
  book_.end(record, ending);
  if (const auto next = clients_.after_end(record, now_)) at(next->at, *next);
}

void Simulation::over() {
  lifecycle_.over(book_);
  if (!engine_.holdings().empty()) verdict_.fail("KV goes back to zero", "a sequence is held, and nobody lives");
  if (!kv_.in_host_memory().empty()) verdict_.fail("KV goes back to zero", "KV in host memory is nobody's");
  const engine::EngineStats stats = engine_.stats();
  figures_.preemptions = stats.preemptions;
  figures_.rows = work_.rows();
  figures_.rows_again = work_.rows_again();
  figures_.rows_existed = work_.rows_existed();
  figures_.longest_wait = waits_.longest();
  figures_.newcomers = newcomers_.answered();
  figures_.newcomers_beyond = newcomers_.beyond();
  figures_.newcomers_worst = newcomers_.worst();
  figures_.fairness_worst = fairness_.worst();
}

}  // namespace sluice::sim
