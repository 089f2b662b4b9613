#include "daemon/model_host.h"

#include <fmt/format.h>

#include "base/build.h"
#include "base/check.h"
#include "base/limits.h"
#include "config/flags.h"
#include "daemon/machine.h"
#include "daemon/window_plan.h"

namespace sluice::daemon {

using supervisor::WorkerState;

namespace {

constexpr auto kProgressInterval = std::chrono::seconds(2);  // a small model says nothing

std::string loaded_line(const supervisor::WorkerReport& report) {
  constexpr double kMiB = 1u << 20;
  return fmt::format("loaded in {:.1f} s: weights {:.0f} MiB, KV {:.0f} MiB, compute {:.0f} MiB; {}; {}",
                     to_seconds(report.load_time), report.weights_bytes / kMiB, report.kv_bytes / kMiB,
                     report.compute_bytes / kMiB, report.runtime_version, report.system_info);
}

}  // namespace

std::string_view name_of(HostState state) {
  switch (state) {
    case HostState::opening: return "opening";
    case HostState::loading: return "loading";
    case HostState::serving: return "serving";
    case HostState::failed: return "failed";
  }
  UNREACHABLE();
}

bool may_follow(HostState from, HostState to) {
  switch (from) {
    case HostState::opening: return to == HostState::loading || to == HostState::failed;
    case HostState::loading: return to == HostState::serving || to == HostState::failed;
    case HostState::serving:
    case HostState::failed: return false;
  }
  UNREACHABLE();
}

bool ModelHost::Port::ready() const { return host_.worker_ && host_.worker_->state() == WorkerState::ready; }
void ModelHost::Port::submit(GenerationId id, const GenerationSpec& spec) { host_.worker_->submit(id, spec); }
void ModelHost::Port::cancel(GenerationId id) {
  if (host_.worker_) host_.worker_->cancel(id);
}

ModelHost::ModelHost(boost::asio::io_context& core, config::ServeOptions options, std::string executable,
                     telemetry::Log& log, Events events)
    : core_(core),
      options_(std::move(options)),
      executable_(std::move(executable)),
      log_(log),
      events_(std::move(events)),
      tuning_(options_, log_),
      costs_(core, options_, log_, limits::costs_interval),
      codec_(core, {.executable = executable_,
                    .model_path = options_.model_path,
                    .expected_build = build_id(),
                    .timing = {},
                    .on_stderr_line = [this](std::string_view line) { log_.debug(fmt::format("codec: {}", line)); },
                    .on_lost = [this](const Error& death) { log_.error("the codec is lost: " + death.message); }}) {}

ModelHost::~ModelHost() = default;

void ModelHost::enter(HostState next) {
  CHECK(may_follow(state_, next));
  state_ = next;
}

void ModelHost::start() {
  codec_.start([this](Result<VocabularyFacts> facts) { on_vocabulary(std::move(facts)); });
}

void ModelHost::stop() {
  codec_.stop();
  if (worker_) worker_->stop();
  costs_.write_rest();
}

void ModelHost::look(supervisor::WorkerClient::LookDone done) {
  if (!worker_) return done(std::nullopt);
  worker_->look(std::move(done));
}

void ModelHost::on_vocabulary(Result<VocabularyFacts> facts) {
  if (!facts) return fail_start(facts.error(), config::kExitModel);
  const Result<uint32_t> window = planned_window(*facts);
  if (!window) return fail_start(window.error(), config::kExitUsage);
  events_.on_planned(*facts, *window);
  start_worker(*window);
}

Result<uint32_t> ModelHost::planned_window(const VocabularyFacts& facts) {
  const Result<uint64_t> available = memory_available();
  if (!available) return std::unexpected(available.error());
  const auto choice = plan_window(facts, options_, *available);
  if (!choice) return std::unexpected(choice.error());
  const std::string notice = window_notice(*choice, facts, options_, *available);
  if (!notice.empty()) log_.warn(notice);
  return choice->window;
}

supervisor::WorkerClient::Options ModelHost::worker_options(LoadOptions load) {
  return {.executable = executable_,
          .load = std::move(load),
          .expected_build = build_id(),
          .timing = {},
          .liveness = {},
          .on_stderr_line = [this](std::string_view line) { log_.debug(fmt::format("worker: {}", line)); }};
}

supervisor::WorkerClient::Events ModelHost::worker_events() {
  return {.on_facts =
              [this](auto facts) {
                generations_.on_facts(std::move(facts));
                events_.on_progress();
              },
          .on_state = [this](WorkerState state) { on_worker_state(state); },
          .on_lost = [this](const Error& death) { on_worker_lost(death); },
          .on_loading = [this](float progress) { on_loading(progress); },
          .on_costs = [this](const Costs& costs) { costs_.on_costs(costs); }};
}

void ModelHost::start_worker(uint32_t window) {
  enter(HostState::loading);
  progress_logged_ = Clock::now();
  LoadOptions load = options_.load;
  load.window = window;
  worker_.emplace(core_, worker_options(costs_.recall(tuning_.decide(std::move(load)))), worker_events());
  worker_->start();
}

void ModelHost::on_worker_state(WorkerState state) {
  log_.debug(fmt::format("worker is {}", supervisor::name_of(state)));
  switch (state) {
    case WorkerState::ready:
      tell_report();
      if (state_ == HostState::loading) {
        enter(HostState::serving);
        events_.on_serving();
      } else {
        log_.info("the worker is ready again");
      }
      generations_.on_worker_ready(Clock::now());
      break;
    case WorkerState::failed:
      if (state_ == HostState::loading) return fail_start(worker_->load_error(), config::kExitModel);
      log_.error("the worker cannot be started again: " + worker_->load_error().message);
      generations_.on_worker_failed(worker_->load_error());
      break;
    case WorkerState::stopped:
    case WorkerState::starting:
    case WorkerState::loading:
    case WorkerState::draining:
    case WorkerState::backing_off: break;
  }
  events_.on_progress();
}

void ModelHost::tell_report() {
  log_.info(loaded_line(worker_->report()));
  tuning_.on_ready(worker_->report());
  costs_.on_ready(worker_->report());
  for (const proto::Capability& capability : worker_->report().capabilities) {
    if (!capability.holds()) log_.debug(fmt::format("without {}: {}", capability.name(), capability.reason()));
  }
}

void ModelHost::on_worker_lost(const Error& death) {
  log_.error("the worker is lost: " + death.message);
  generations_.on_worker_lost(death);
  events_.on_progress();
}

void ModelHost::on_loading(float progress) {
  const TimePoint now = Clock::now();
  if (now - progress_logged_ < kProgressInterval) return;
  progress_logged_ = now;
  log_.info(fmt::format("loading weights: {:.0f} %", progress * 100));
}

void ModelHost::fail_start(const Error& cause, int exit_code) {
  enter(HostState::failed);
  generations_.on_worker_failed(cause);
  events_.on_failed(cause, exit_code);
}

}  // namespace sluice::daemon
