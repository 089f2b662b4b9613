#include "supervisor/worker_client.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "runtime/settle.h"
#include "supervisor/alarm.h"
#include "supervisor/liveness.h"
#include "supervisor/looks.h"
#include "supervisor/order_queue.h"
#include "supervisor/postbox.h"
#include "supervisor/process_keeper.h"
#include "supervisor/worker_messages.h"

namespace sluice::supervisor {

using Facts = std::vector<std::pair<GenerationId, proto::GenerationFact>>;

class WorkerClient::Impl final : public std::enable_shared_from_this<Impl> {
 public:
  Impl(boost::asio::io_context& core, Options options, Events events);
  void submit(GenerationId id, const GenerationSpec& spec);
  void cancel(GenerationId id);
  void look(LookDone done);
  void drain();
  void stop();
  void close();
  ProcessKeeper& keeper() { return keeper_; }
  const WorkerReport& report() const { return report_; }

 private:
  void on_state(WorkerState state);
  void on_lost(const Error& death);
  void on_greeted();
  void on_frame(std::string_view body);
  void on_hello(const proto::Hello& hello);
  void on_loading(float progress);
  void on_ready(const proto::Ready& ready);
  void on_events(const proto::Events& events);
  void on_costs(const Costs& costs);
  void on_pong(const proto::Pong& pong);
  void on_standings(const proto::Standings& answer);
  void on_ping_due();

  bool has_model() const;
  void acknowledge(uint64_t step);
  void send_small(const proto::ToWorker& message);
  void tell_facts(Facts facts, uint64_t step);

  const Options options_;
  LoadOptions
      load_;  // what the next process is told: a tuning is made once, and kept; costs are the last that were said
  bool costs_said_ = false;  // by this process
  const Events events_;
  ProcessKeeper keeper_;
  Postbox<Impl> postbox_;
  Alarm ping_alarm_;
  Liveness liveness_;
  OrderQueue orders_;
  Looks looks_;
  std::string runtime_version_;
  WorkerReport report_;
};

namespace {

ProcessKeeper::Options keeper_options(const WorkerClient::Options& options) {
  return {options.executable, "worker",       options.expected_build,
          options.load_max,   options.timing, options.on_stderr_line};
}

Duration from_wire(uint64_t us) { return std::chrono::microseconds(std::min<uint64_t>(us, UINT32_MAX)); }

}  // namespace

WorkerClient::Impl::Impl(boost::asio::io_context& core, Options options, Events events)
    : options_(std::move(options)),
      load_(options_.load),
      events_(std::move(events)),
      keeper_(core, keeper_options(options_),
              {.on_frame = [this](std::string_view body) { on_frame(body); },
               .on_greeted = [this] { on_greeted(); },
               .on_room = [this] { orders_.on_room(); },
               .on_lost = [this](const Error& death) { on_lost(death); },
               .on_state = [this](WorkerState state) { on_state(state); }}),
      postbox_(core),
      ping_alarm_(core),
      liveness_(options_.liveness),
      orders_(keeper_),
      looks_(core, options_.look_max) {}

void WorkerClient::Impl::on_state(WorkerState state) {
  postbox_.post(shared_from_this(), [state](Impl& self) { self.events_.on_state(state); });
}

void WorkerClient::Impl::on_lost(const Error& death) {
  ping_alarm_.cancel();
  orders_.clear();
  load_.tune = false;  // where measuring is what it died of, the next one must not
  if (!std::exchange(costs_said_, false)) load_.costs = {};  // and where it was a step that they made too long
  postbox_.post(shared_from_this(), [death](Impl& self) {
    self.looks_.give_up();
    self.events_.on_lost(death);
  });
}

void WorkerClient::Impl::on_greeted() {
  if (auto sent = keeper_.send(load_message(load_)); !sent) keeper_.on_load_failed(std::move(sent.error()));
}

void WorkerClient::Impl::on_frame(std::string_view body) {
  proto::FromWorker message;
  if (!message.ParseFromArray(body.data(), static_cast<int>(body.size()))) {
    return keeper_.replace("sent garbage: a frame that is no message");
  }
  switch (message.body_case()) {
    case proto::FromWorker::kHello: return on_hello(message.hello());
    case proto::FromWorker::kLoading: return on_loading(message.loading().progress());
    case proto::FromWorker::kReady: return on_ready(message.ready());
    case proto::FromWorker::kLoadFailed: return keeper_.on_load_failed(proto::from_message(message.load_failed()));
    case proto::FromWorker::kEvents: return on_events(message.events());
    case proto::FromWorker::kPong: return on_pong(message.pong());
    case proto::FromWorker::kStandings: return on_standings(message.standings());
    case proto::FromWorker::BODY_NOT_SET: return keeper_.replace("sent garbage: an empty message");
  }
}

void WorkerClient::Impl::on_hello(const proto::Hello& hello) {
  runtime_version_ = hello.runtime() + " " + hello.runtime_version();
  keeper_.on_hello(hello);
}

void WorkerClient::Impl::on_loading(float progress) {
  if (keeper_.state() != WorkerState::loading || !(progress >= 0 && progress <= 1)) {
    return keeper_.replace("sent garbage: a progress out of place");
  }
  postbox_.post(shared_from_this(), [progress](Impl& self) { self.events_.on_loading(progress); });
}

void WorkerClient::Impl::on_ready(const proto::Ready& ready) {
  auto report = report_of(ready, runtime_version_);
  if (!report) return keeper_.replace("sent garbage: " + report.error().message);
  report_ = std::move(*report);
  if (report_.tuning) settle(load_, report_.tuning->choice);
  keeper_.on_loaded();
  liveness_ = Liveness(options_.liveness);
  on_ping_due();
}

void WorkerClient::Impl::on_events(const proto::Events& events) {
  if (!has_model()) return keeper_.replace("sent garbage: events before it was ready");
  Facts facts;
  for (const proto::GenerationEvent& event : events.events()) {
    auto facts_of_one = proto::facts_of(event);
    if (!facts_of_one) return keeper_.replace("sent garbage: " + facts_of_one.error().message);
    for (auto& fact : *facts_of_one) facts.emplace_back(GenerationId{event.generation()}, std::move(fact));
  }
  if (events.has_costs()) {
    const auto costs = proto::from_message(events.costs());
    if (!costs) return keeper_.replace("sent garbage: " + costs.error().message);
    on_costs(*costs);
  }
  count(events, report_);
  tell_facts(std::move(facts), events.step());
}

void WorkerClient::Impl::on_costs(const Costs& costs) {
  load_.costs = costs;
  costs_said_ = true;
  postbox_.post(shared_from_this(), [costs](Impl& self) { self.events_.on_costs(costs); });
}

// A frame is acknowledged when its facts have been taken, not when it was read: this is the worker's back-pressure.
void WorkerClient::Impl::tell_facts(Facts facts, uint64_t step) {
  postbox_.post(shared_from_this(), [facts = std::move(facts), step](Impl& self) mutable {
    if (!facts.empty()) self.events_.on_facts(std::move(facts));
    if (step > 0) self.acknowledge(step);
  });
}

void WorkerClient::Impl::acknowledge(uint64_t step) {
  proto::ToWorker message;
  message.mutable_ack()->set_step(step);
  send_small(message);
}

void WorkerClient::Impl::on_pong(const proto::Pong& pong) {
  if (!has_model()) return keeper_.replace("sent garbage: an answer to a ping that was not sent");
  const auto hangs =
      liveness_.on_pong({pong.number(), from_wire(pong.running_step_us()), from_wire(pong.forecast_us())});
  if (hangs) keeper_.replace(*hangs);
}

void WorkerClient::Impl::on_standings(const proto::Standings& answer) {
  if (!has_model()) return keeper_.replace("sent garbage: how generations stand before it was ready");
  auto standings = proto::standings_of(answer);
  if (!standings) return keeper_.replace("sent garbage: " + standings.error().message);
  postbox_.post(shared_from_this(), [number = answer.number(), all = std::move(*standings)](Impl& self) mutable {
    self.looks_.on_answer(number, std::move(all));
  });
}

void WorkerClient::Impl::on_ping_due() {
  if (const auto hangs = liveness_.on_ping_due()) return keeper_.replace(*hangs);
  proto::ToWorker message;
  message.mutable_ping()->set_number(liveness_.last_ping());
  send_small(message);
  ping_alarm_.after(options_.liveness.ping_interval, [this] { on_ping_due(); });
}

bool WorkerClient::Impl::has_model() const {
  return keeper_.state() == WorkerState::ready || keeper_.state() == WorkerState::draining;
}

void WorkerClient::Impl::send_small(const proto::ToWorker& message) {
  const auto sent = keeper_.send(message);
  CHECK(sent);  // a few bytes fit a frame
}

void WorkerClient::Impl::submit(GenerationId id, const GenerationSpec& spec) {
  CHECK(keeper_.state() == WorkerState::ready);
  proto::ToWorker message;
  *message.mutable_submit() = proto::to_message(id, spec);
  if (auto fits = orders_.submit(std::move(message)); !fits) {
    tell_facts({{id, Failed{std::move(fits.error())}}}, 0);
  }
}

void WorkerClient::Impl::cancel(GenerationId id) {
  if (has_model()) orders_.cancel(id);
}

void WorkerClient::Impl::look(LookDone done) {
  if (!has_model()) {
    return postbox_.post(shared_from_this(), [done = std::move(done)](Impl&) { done(std::nullopt); });
  }
  proto::ToWorker message;
  message.mutable_look()->set_number(looks_.ask(std::move(done)));
  send_small(message);
}

void WorkerClient::Impl::drain() {
  if (keeper_.state() == WorkerState::draining) return;
  if (keeper_.state() != WorkerState::ready) return stop();
  keeper_.expect_end();
  orders_.drain();
}

void WorkerClient::Impl::stop() {
  postbox_.take_back();
  ping_alarm_.cancel();
  orders_.clear();
  looks_.clear();
  keeper_.stop();
}

void WorkerClient::Impl::close() {
  stop();
  postbox_.take_back();
}

WorkerClient::WorkerClient(boost::asio::io_context& core, Options options, Events events)
    : impl_(std::make_shared<Impl>(core, std::move(options), std::move(events))) {}

WorkerClient::~WorkerClient() { impl_->close(); }

void WorkerClient::start() { impl_->keeper().start(); }

void WorkerClient::submit(GenerationId id, const GenerationSpec& spec) { impl_->submit(id, spec); }

void WorkerClient::cancel(GenerationId id) { impl_->cancel(id); }

void WorkerClient::look(LookDone done) { impl_->look(std::move(done)); }

void WorkerClient::drain() { impl_->drain(); }

void WorkerClient::stop() { impl_->stop(); }

WorkerState WorkerClient::state() const { return impl_->keeper().state(); }

const Error& WorkerClient::load_error() const { return impl_->keeper().failure(); }

const WorkerReport& WorkerClient::report() const { return impl_->report(); }

ProcessCounts WorkerClient::counts() const { return impl_->keeper().counts(); }

int WorkerClient::pid() const { return impl_->keeper().pid(); }

uint64_t WorkerClient::resident_bytes() const { return impl_->keeper().resident_bytes(); }

}  // namespace sluice::supervisor
