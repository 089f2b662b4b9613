#include "daemon/figures.h"

#include "daemon/machine.h"

namespace sluice::daemon {
namespace {

bool is_ready(const supervisor::WorkerClient* worker) {
  return worker && worker->state() == supervisor::WorkerState::ready;
}

}  // namespace

Figures::Figures(const ModelHost& host, admission::Admission& admission, std::function<size_t()> connections)
    : host_(host), admission_(admission), connections_(std::move(connections)) {
  for (const char* reason : {"stop", "length", "deadline", "cancelled", "failed", "refused"}) {
    metrics_.generations_finished.with({reason});
  }
  for (const ErrorCode code :
       {ErrorCode::rate_limit_requests, ErrorCode::rate_limit_tokens, ErrorCode::concurrency_limit,
        ErrorCode::key_queue_full, ErrorCode::queue_full, ErrorCode::queue_timeout, ErrorCode::queue_too_long,
        ErrorCode::key_queue_too_long, ErrorCode::timed_out, ErrorCode::overloaded, ErrorCode::unavailable}) {
    metrics_.refusals.with({std::string(name_of(code))});
  }
  for (const Class cls : kClasses) {
    metrics_.first_token_seconds.with({std::string(name_of(cls))});
    metrics_.queue_seconds.with({std::string(name_of(cls))});
    metrics_.deadline_misses.with({std::string(name_of(cls))});
  }
}

void Figures::observe(const api::Fact& fact, Class cls, TimePoint submitted, TimePoint now) {
  if (std::holds_alternative<Started>(fact)) {
    metrics_.queue_seconds.with({std::string(name_of(cls))}).observe(to_seconds(now - submitted));
  }
  if (const auto* output = std::get_if<Output>(&fact)) completion_rate_.add(now, output->tokens.size());
  if (const auto* finished = std::get_if<Finished>(&fact)) {
    metrics_.generations_finished.with({std::string(name_of(finished->reason))}).add();
  }
}

void Figures::fill(api::StatusSnapshot& snapshot, TimePoint now) const {
  const supervisor::WorkerClient* worker = host_.worker();
  const generation::Totals& totals = host_.generations().totals();
  snapshot.lanes_busy = is_ready(worker) ? worker->report().lanes_busy : 0;
  snapshot.waiting = host_.generations().counts().waiting;
  snapshot.prompt_tokens = totals.prompt_tokens;
  snapshot.cached_tokens = totals.cached_tokens;
  snapshot.completion_tokens = totals.completion_tokens;
  snapshot.tokens_per_second = completion_rate_.per_second(now);
  snapshot.resident_bytes =
      own_resident_bytes() + host_.codec().resident_bytes() + (worker ? worker->resident_bytes() : 0);
  snapshot.worker_starts = worker ? worker->counts().starts : 0;
  snapshot.worker_deaths = worker ? worker->counts().deaths : 0;
}

std::string Figures::metrics_text(TimePoint now) {
  mirror_generations(now);
  mirror_live();
  mirror_worker();
  mirror_processes();
  metrics_.connections.set(static_cast<double>(connections_()));
  return registry_.render();
}

void Figures::mirror_generations(TimePoint now) {
  const generation::Totals& totals = host_.generations().totals();
  const generation::GenerationCounts counts = host_.generations().counts();
  metrics_.prompt_tokens.follow(totals.prompt_tokens);
  metrics_.cached_tokens.follow(totals.cached_tokens);
  metrics_.completion_tokens.follow(totals.completion_tokens);
  metrics_.tokens_per_second.set(completion_rate_.per_second(now));
  metrics_.generations_running.set(counts.running);
  metrics_.generations_waiting.set(counts.waiting);
  for (const Class cls : kClasses) {
    metrics_.queue_depth.with({std::string(name_of(cls))}).set(counts.waiting_of[static_cast<size_t>(cls)]);
  }
  metrics_.generations_finished.with({"cancelled"}).follow(totals.cancelled);
  metrics_.generations_finished.with({"failed"}).follow(totals.failed);
  metrics_.generations_finished.with({"refused"}).follow(totals.refused);
}

// Keys come and go: only those with a generation have a series.
void Figures::mirror_live() {
  metrics_.generations_live.clear();
  for (const Class cls : kClasses) metrics_.generations_live.with({std::string(name_of(cls)), ""});
  for (const admission::AccountPtr& account : admission_.accounts_with_live()) {
    for (const Class cls : kClasses) {
      if (account->live(cls) == 0) continue;
      auto& gauge = metrics_.generations_live.with({std::string(name_of(cls)), account->label()});
      gauge.set(gauge.value() + account->live(cls));  // a name that was taken away and given again is two accounts
    }
  }
}

void Figures::mirror_worker() {
  const supervisor::WorkerClient* worker = host_.worker();
  const bool ready = is_ready(worker);
  const supervisor::WorkerReport report = ready ? worker->report() : supervisor::WorkerReport{};
  metrics_.worker_ready.set(ready ? 1 : 0);
  mirror_lanes(report);
  if (!ready) return;  // the totals stay what they were
  metrics_.steps.follow(report.steps);
  mirror_work(report.stats);
}

void Figures::mirror_lanes(const supervisor::WorkerReport& report) {
  metrics_.lanes.set(report.lanes);
  metrics_.lanes_busy.set(report.lanes_busy);
  metrics_.generations_preempted.set(report.stats.preempted());
  metrics_.kv_tokens_parked.set(static_cast<double>(report.stats.parked_now()));
}

void Figures::mirror_work(const proto::WorkerStats& stats) {
  metrics_.rows.with({"prefill"}).follow(stats.rows_prefill());
  metrics_.rows.with({"decode"}).follow(stats.rows_decode());
  metrics_.calls.with({"prefill"}).follow(stats.calls_prefill());
  metrics_.calls.with({"decode"}).follow(stats.calls() - stats.calls_prefill());
  metrics_.passes.follow(stats.passes());
  metrics_.preemptions.follow(stats.preemptions());
  metrics_.parked_tokens.follow(stats.tokens_parked());
  metrics_.tokens_again.follow(stats.tokens_again());
  metrics_.step_time.with({"decode"}).follow(stats.decode_us());
  metrics_.step_time.with({"prefill"}).follow(stats.prefill_us());
  metrics_.step_time.with({"move"}).follow(stats.move_us());
  metrics_.step_time.with({"draw"}).follow(stats.draw_us());
  metrics_.context_switches.with({"waited"}).follow(stats.waits());
  metrics_.context_switches.with({"interrupted"}).follow(stats.interruptions());
}

void Figures::mirror_processes() {
  const supervisor::WorkerClient* worker = host_.worker();
  const supervisor::ProcessCounts codec = host_.codec().counts();
  const supervisor::ProcessCounts counts = worker ? worker->counts() : supervisor::ProcessCounts{};
  metrics_.worker_starts.follow(counts.starts);
  metrics_.worker_deaths.follow(counts.deaths);
  metrics_.codec_starts.follow(codec.starts);
  metrics_.codec_deaths.follow(codec.deaths);
  const auto resident = [this](const char* process, uint64_t bytes) {
    metrics_.resident_bytes.with({process}).set(static_cast<double>(bytes));
  };
  resident("daemon", own_resident_bytes());
  resident("codec", host_.codec().resident_bytes());
  resident("worker", worker ? worker->resident_bytes() : 0);
}

}  // namespace sluice::daemon
