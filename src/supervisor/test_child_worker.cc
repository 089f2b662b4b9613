#include <cstdlib>

#include "base/error.h"
#include "supervisor/test_child.h"

namespace sluice::supervisor::test_child {
namespace {

class Worker {
 public:
  explicit Worker(const Script& script) : script_(script) {}
  int run();

 private:
  void load(const proto::Load& load);
  void submit(const proto::Submit& submit);
  void pong(const proto::Ping& ping);
  void standings(const proto::Look& look);
  proto::GenerationEvent& event_of(uint64_t generation);
  void send_step();

  const Script& script_;
  Link link_;
  proto::FromWorker step_;
  uint64_t steps_ = 0;
  uint64_t submitted_ = 1;
};

void say_costs(const proto::Load& load) { say("load rows " + std::to_string(load.costs().prefill_rows())); }

// As many rows as its generation's first token says; "learns-nonsense": with a time that cannot be.
void put_costs(const Script& script, uint32_t rows, proto::Events& events) {
  events.mutable_costs()->set_prefill_rows(rows);
  events.mutable_costs()->mutable_decode()->set_samples(1);
  events.mutable_costs()->mutable_decode()->set_row_us(script.is_first("learns-nonsense") ? -1 : 5000);
}

void say_what_it_loads(const proto::Load& load) {
  say("load tune " + std::to_string(load.tune()) + " flash " + std::to_string(load.flash_attention()) + " threads " +
      std::to_string(load.threads()));
}

void Worker::load(const proto::Load& load) {
  proto::FromWorker message;
  if (script_.is("load-fails") || (script_.is("load-fails-second") && script_.start == 2)) {
    message.mutable_load_failed()->set_code(static_cast<uint32_t>(ErrorCode::invalid));
    message.mutable_load_failed()->set_message("no model at " + load.model_path());
    return link_.send(message);
  }
  if (script_.is("tunes") || script_.is("dies-of-tuning")) say_what_it_loads(load);
  if (script_.is("learns") || script_.is("learns-nonsense")) say_costs(load);
  if (script_.is("dies-of-tuning") && load.tune()) std::abort();
  message.mutable_loading()->set_progress(0.5f);
  link_.send(message);
  if (script_.is("never-ready")) hang();
  message.mutable_ready()->set_lanes(script_.is("no-lanes") ? 0 : load.lanes());
  message.mutable_ready()->set_window(load.window());
  message.mutable_ready()->set_vocabulary(256);
  message.mutable_ready()->set_system_info("test system");
  if (load.tune()) {
    message.mutable_ready()->mutable_tuning()->mutable_choice()->set_flash_attention(true);
    message.mutable_ready()->mutable_tuning()->mutable_choice()->set_threads(3);
  }
  link_.send(message);
}

proto::GenerationEvent& Worker::event_of(uint64_t generation) {
  proto::GenerationEvent& event = *step_.mutable_events()->add_events();
  event.set_generation(generation);
  return event;
}

void Worker::send_step() {
  step_.mutable_events()->set_step(++steps_);
  step_.mutable_events()->mutable_stats()->set_calls(steps_);
  link_.send(step_);
  step_.Clear();
}

// Says the first prompt token, and ends where no more than one is wanted; else it goes on for ever.
void Worker::submit(const proto::Submit& submit) {
  if (script_.is_first("garbage-on-submit")) return link_.send_bytes(std::string("\x03\0\0\0\xff\xff\xff", 7));
  if (script_.is_first("deaf-to-submit")) return;
  submitted_ = submit.generation();
  event_of(submit.generation()).set_accepted(true);
  send_step();
  proto::GenerationEvent& event = event_of(submit.generation());
  event.mutable_started()->set_cached_tokens(0);
  event.add_tokens(submit.prompt(0));
  event.set_text("t");
  if (submit.max_tokens() == 1) event.mutable_finished()->set_completion_tokens(1);
  if (script_.is("learns") || script_.is("learns-nonsense"))
    put_costs(script_, static_cast<uint32_t>(submit.prompt(0)), *step_.mutable_events());
  send_step();
}

void Worker::pong(const proto::Ping& ping) {
  if (script_.is_first("silent-first")) return;
  proto::FromWorker message;
  message.mutable_pong()->set_number(script_.is_first("other-pong-first") ? ping.number() + 1 : ping.number());
  if (script_.is_first("hung-step-first")) message.mutable_pong()->set_running_step_us(1'000'000'000);
  link_.send(message);
}

// Of the generation that it was given last.
void Worker::standings(const proto::Look& look) {
  if (script_.is("deaf-to-look")) return;
  proto::FromWorker message;
  message.mutable_standings()->set_number(look.number());
  proto::Standing& standing = *message.mutable_standings()->add_standings();
  standing.set_generation(submitted_);
  if (script_.is_first("garbage-on-look")) standing.set_doing(99);
  link_.send(message);
}

int Worker::run() {
  if (script_.is("never-hello") || script_.is("exit-at-once")) misbehave(script_, link_);
  proto::FromWorker greeting;
  *greeting.mutable_hello() = hello_of(script_);
  link_.send(greeting);
  misbehave(script_, link_);
  for (;;) {
    proto::ToWorker message;
    if (!message.ParseFromString(link_.read())) std::abort();
    if (message.has_load()) load(message.load());
    if (message.has_submit()) submit(message.submit());
    if (message.has_ping()) pong(message.ping());
    if (message.has_look()) standings(message.look());
    if (message.has_cancel()) say("cancel " + std::to_string(message.cancel().generation()));
    if (message.has_ack()) say("ack " + std::to_string(message.ack().step()));
    if (message.has_drain()) return script_.is("dies-in-drain") ? 5 : 0;
  }
}

}  // namespace

int run_worker(const Script& script) { return Worker(script).run(); }

}  // namespace sluice::supervisor::test_child
