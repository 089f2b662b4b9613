#include "worker/step_loop.h"

#include <sys/resource.h>

#include <cstdio>
#include <utility>

#include "base/check.h"
#include "worker/exit_codes.h"

namespace sluice::worker {
namespace {

void add_context_switches(proto::WorkerStats& message) {
  rusage usage{};
  CHECK(::getrusage(RUSAGE_SELF, &usage) == 0);
  message.set_waits(static_cast<uint64_t>(usage.ru_nvcsw));
  message.set_interruptions(static_cast<uint64_t>(usage.ru_nivcsw));
}

void set_stats(const engine::EngineStats& stats, proto::WorkerStats& message) {
  message.set_lanes_busy(stats.lanes_busy);
  message.set_waiting(stats.waiting);
  message.set_rows_prefill(stats.rows_prefill);
  message.set_rows_decode(stats.rows_decode);
  message.set_calls(stats.calls);
  message.set_calls_prefill(stats.calls_prefill);
  message.set_passes(stats.passes);
  message.set_tokens_cached(stats.tokens_cached);
  message.set_preempted(stats.preempted);
  message.set_parked_now(stats.parked_now);
  message.set_preemptions(stats.preemptions);
  message.set_tokens_parked(stats.tokens_parked);
  message.set_tokens_again(stats.tokens_again);
  message.set_decode_us(us_of(stats.decode_time));
  message.set_prefill_us(us_of(stats.prefill_time));
  message.set_move_us(us_of(stats.move_time));
  message.set_draw_us(us_of(stats.draw_time));
}

}  // namespace

StepLoop::StepLoop(Link& link, Runtime& runtime, const TokenBytes& bytes, engine::EngineConfig config)
    : link_(link),
      engine_(std::move(config)),
      executor_(runtime, engine_),
      outputs_(bytes),
      costs_said_(engine_.learned_costs()),
      costs_said_at_(Clock::now()) {}

int StepLoop::run(std::vector<Letter> first) {
  Delivery delivery{std::move(first), std::nullopt};
  for (;;) {
    if (delivery.ending) return end(*delivery.ending);
    if (const auto applied = apply(std::move(delivery.letters)); !applied) return end({applied.error()});
    const engine::StepPlan plan = engine_.plan(Clock::now());
    if (!plan.empty()) {
      if (const auto exit_code = run_step(plan)) return *exit_code;
      delivery = link_.inbox().take();
    } else {
      const TimePoint now = Clock::now();
      take_facts({now, now});  // of generations whose time was over
      if (!frame_.empty()) send_frame(0, {});
      if (draining_ && engine_.idle()) return end_after_flush(kExitEnded);
      delivery = link_.inbox().wait();
    }
  }
}

// Every answer to these letters goes out in one frame that no step made; how all stand, behind it.
Result<void> StepLoop::apply(std::vector<Letter> letters) {
  for (Letter& letter : letters) {
    const auto applied = std::visit([this](auto& one) { return apply(std::move(one)); }, letter);
    if (!applied) return applied;
  }
  const TimePoint now = Clock::now();
  take_facts({now, now});
  if (!frame_.empty() || lanes_changed_) send_frame(0, {});
  if (look_) send_standings(*std::exchange(look_, std::nullopt), now);
  return {};
}

Result<void> StepLoop::apply(proto::Submission submission) {
  const GenerationId id = submission.id;
  if (outputs_.has(id)) {
    return fail(ErrorCode::protocol, "Submit: generation " + std::to_string(id.raw) + " lives already");
  }
  if (draining_) {
    refuse(id, {ErrorCode::unavailable, "this worker is draining: it takes no new generation", {}});
    return {};
  }
  const TimePoint now = Clock::now();
  OutputLane lane(submission.spec.stop, submission.spec.sampling.top_logprobs.has_value(), now);
  if (auto submitted = engine_.submit(id, std::move(submission.spec), now); !submitted) {
    refuse(id, submitted.error());
    return {};
  }
  outputs_.open(id, std::move(lane));
  frame_.add(id, Accepted{});
  return {};
}

// Nobody is told of the generation, but that its lane is free: no step may follow that would say so.
Result<void> StepLoop::apply(const CancelLetter& cancel) {
  lanes_changed_ = lanes_changed_ || outputs_.has(cancel.generation);
  engine_.cancel(cancel.generation);
  outputs_.close(cancel.generation);
  return {};
}

Result<void> StepLoop::apply(const AckLetter& ack) {
  if (ack.step > last_step_) {
    return fail(ErrorCode::protocol, "Ack: step " + std::to_string(ack.step) + " has not been sent");
  }
  engine_.on_ack(ack.step);
  return {};
}

Result<void> StepLoop::apply(const DrainLetter&) {
  draining_ = true;
  return {};
}

// Of several the last: whoever asked before has asked again.
Result<void> StepLoop::apply(const LookLetter& look) {
  look_ = look.number;
  return {};
}

Result<void> StepLoop::apply(const LoadOptions&) {
  return fail(ErrorCode::protocol, "Load: a worker loads one model in its life");
}

void StepLoop::refuse(GenerationId id, Error error) { frame_.add(id, Failed{std::move(error)}); }

// Says how to end where the step was the last one.
std::optional<int> StepLoop::run_step(const engine::StepPlan& plan) {
  const TimePoint begun = Clock::now();
  link_.pulse().begin(begun, plan.predicted);
  engine::StepResult result = executor_.execute(plan);
  const TimePoint ended = Clock::now();
  link_.pulse().end();
  if (link_.inbox().ended()) return end(*link_.inbox().take().ending);  // the step may have been cut short
  std::optional<Error> fatal;
  if (const Error* found = fatal_error(result)) fatal = *found;
  engine_.on_step_done(plan, std::move(result), ended);
  take_facts({begun, ended});
  if (fatal) outputs_.fail_all(*fatal, frame_);
  last_step_ = plan.step;
  send_frame(plan.step, ended - begun);
  if (fatal) return end_after_flush(kExitFatal);
  return std::nullopt;
}

// A stop string ends a generation that the engine would go on with.
void StepLoop::take_facts(const Outputs::StepTimes& times) {
  for (const GenerationId id : outputs_.apply(engine_.take_facts(), times, frame_)) {
    engine_.finish(id, FinishReason::stop);
  }
  outputs_.apply(engine_.take_facts(), times, frame_);
  outputs_.release(frame_);
}

void StepLoop::send_frame(uint64_t step, Duration elapsed) {
  proto::Events& events = frame_.events();
  events.set_step(step);
  events.set_step_us(std::chrono::duration_cast<std::chrono::microseconds>(elapsed).count());
  set_stats(engine_.stats(), *events.mutable_stats());
  add_context_switches(*events.mutable_stats());
  add_costs(events);
  link_.send(frame_.message());
  frame_.clear();
  lanes_changed_ = false;
}

void StepLoop::send_standings(uint64_t number, TimePoint now) {
  proto::FromWorker message;
  proto::Standings& answer = *message.mutable_standings();
  answer.set_number(number);
  for (Standing& standing : engine_.standings(now)) {
    standing.timings = outputs_.timings_until(now, standing.generation);
    *answer.add_standings() = proto::to_message(standing);
  }
  link_.send(message);
}

// This process may be killed at any time: it says what it learned whenever its last generation has ended, and now and
// then while there is always one.
void StepLoop::add_costs(proto::Events& events) {
  const TimePoint now = Clock::now();
  if (!engine_.idle() && now - costs_said_at_ < limits::costs_interval) return;
  const Costs learned = engine_.learned_costs();
  if (learned == costs_said_) return;
  *events.mutable_costs() = proto::to_message(learned);
  costs_said_ = learned;
  costs_said_at_ = now;
}

int StepLoop::end(const Ending& ending) const {
  if (!ending.error) return kExitEnded;
  std::fprintf(stderr, "worker: protocol error: %s\n", ending.error->message.c_str());
  return kExitProtocol;
}

// A daemon that does not read its last frames in time is told by the exit code alone.
int StepLoop::end_after_flush(int exit_code) {
  if (!link_.flush()) std::fprintf(stderr, "worker: the last frames were not read\n");
  return exit_code;
}

}  // namespace sluice::worker
