#include "daemon/daemon.h"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <cstdio>

#include "admission/admission.h"
#include "api/api.h"
#include "base/check.h"
#include "config/flags.h"
#include "config/key_sources.h"
#include "daemon/backend.h"
#include "daemon/drain.h"
#include "daemon/machine.h"
#include "daemon/model_host.h"
#include "http/server.h"
#include "telemetry/log.h"

namespace sluice::daemon {
namespace {

constexpr int kExitAddress = 1;
constexpr int kExitSignal = 128;  // plus the signal, as a shell says it

void complain(const std::string& what) { std::fprintf(stderr, "sluice serve: %s\n", what.c_str()); }

std::string url_of(const std::string& host, uint16_t port) {
  return host.find(':') == std::string::npos ? fmt::format("http://{}:{}", host, port)
                                             : fmt::format("http://[{}]:{}", host, port);
}

// A first request, to be pasted into a shell. A key is not printed: the line takes it from the environment.
std::string curl_line(const std::string& url, bool key_needed) {
  return fmt::format(R"(curl {}/v1/chat/completions{} -d '{{"messages":[{{"role":"user","content":"Hello!"}}]}}')", url,
                     key_needed ? R"( -H "Authorization: Bearer $SLUICE_KEY")" : "");
}

telemetry::LogLevel level_of(config::LogLevel level) {
  switch (level) {
    case config::LogLevel::error: return telemetry::LogLevel::error;
    case config::LogLevel::warn: return telemetry::LogLevel::warn;
    case config::LogLevel::info: return telemetry::LogLevel::info;
    case config::LogLevel::debug: return telemetry::LogLevel::debug;
  }
  UNREACHABLE();
}

class Daemon final {
 public:
  Daemon(const config::ServeOptions& options, const std::string& executable)
      : options_(options),
        log_({.level = level_of(options.log_level)}),
        drain_(options.drain),
        admission_(options.queue, options.api_keys, Clock::now()),
        host_(core_, options, executable, log_, host_events()),
        figures_(host_, admission_, [this] { return server_ ? server_->connections() : 0; }),
        backend_(host_, drain_, figures_, options, [this] { wake(); }),
        api_(backend_, admission_, {.metrics_open = options.metrics_open},
             [this](const telemetry::AccessEntry& entry) { on_answered(entry); }) {}

  int run() {
    Result<void> listening = listen();
    if (!listening) {
      complain(listening.error().message);
      return kExitAddress;
    }
    await_signal();
    await_hangup();
    host_.start();
    core_.run();
    host_.stop();
    return exit_code_;
  }

 private:
  ModelHost::Events host_events() {
    return {.on_planned = [this](const VocabularyFacts& facts, uint32_t window) { on_planned(facts, window); },
            .on_serving = [this] { announce(); },
            .on_failed = [this](const Error& cause, int exit_code) { on_failed(cause, exit_code); },
            .on_progress = [this] { wake(); }};
  }

  Result<void> listen() {
    auto server = http::Server::create(
        core_, {.host = options_.host, .port = options_.port},
        [this](std::shared_ptr<http::Exchange> exchange) { api_.handle(std::move(exchange)); }, &api::Api::error_body);
    if (!server) return std::unexpected(std::move(server.error()));
    server_ = std::move(*server);
    log_.info(fmt::format("{} is open; the model is {}", url(), options_.model_path));
    return {};
  }

  std::string url() const { return url_of(options_.host, server_->port()); }

  void on_planned(const VocabularyFacts& facts, uint32_t window) {
    backend_.on_planned(facts, window);
    log_.info(fmt::format("{} takes requests while the weights are loaded; lanes={} context={}", url(),
                          options_.load.lanes, window));
  }

  // What stdout is for: a program that started the daemon waits for the first line, a person pastes the second.
  void announce() {
    backend_.on_serving();
    std::printf("listening on %s model=%s lanes=%u context=%u\n", url().c_str(), backend_.model().id.c_str(),
                options_.load.lanes, backend_.model().shape->window);
    std::printf("%s\n", curl_line(url(), !options_.api_keys.empty()).c_str());
    std::fflush(stdout);
  }

  void on_failed(const Error& cause, int exit_code) {
    const std::string why = first_line(cause.message);
    complain(exit_code == config::kExitUsage ? fmt::format("--{}: {}", cause.field, why)
                                             : fmt::format("cannot load '{}': {}", options_.model_path, why));
    if (why != cause.message) log_.error(cause.message);
    exit_code_ = exit_code;
    drain_.on_startup_failed(Clock::now());
    wake();
  }

  void on_answered(const telemetry::AccessEntry& entry) {
    figures_.observe(entry);
    log_.info(telemetry::format(entry));
  }

  void await_signal() {
    signals_.async_wait([this](const boost::system::error_code& ec, int signal) {
      if (ec) return;
      on_signal(signal);
      await_signal();
    });
  }

  void await_hangup() {
    hangups_.async_wait([this](const boost::system::error_code& ec, int) {
      if (ec) return;
      read_keys_again();
      await_hangup();
    });
  }

  // A terminal that closes says SIGHUP too: a daemon without key files goes on as if nothing had been said.
  void read_keys_again() {
    if (!options_.key_sources.has_files()) return;
    auto keys = config::read_keys(options_.key_sources);
    if (!keys) {
      return log_.error(fmt::format("the keys stay as they are: {}: {}", keys.error().field, keys.error().message));
    }
    log_.info(fmt::format("read the keys again: {}", keys->size()));
    admission_.replace_keys(std::move(*keys), Clock::now());
  }

  void on_signal(int signal) {
    const bool again = drain_.state() != DrainState::serving;
    if (again) exit_code_ = kExitSignal + signal;
    log_.info(again ? "a second signal: ending at once"
                    : fmt::format("draining: new requests are refused after {} s, running answers may take {} s",
                                  std::chrono::seconds(limits::drain_notice_max).count(), options_.drain.count()));
    drain_.on_signal(Clock::now());
    wake();
  }

  // Looks again, soon, at what may have changed; however often it is called meanwhile, once.
  void wake() {
    if (woken_) return;
    woken_ = true;
    boost::asio::post(core_, [this] {
      woken_ = false;
      advance();
    });
  }

  void advance() {
    const TimePoint now = Clock::now();
    host_.generations().on_tick(now);
    drain_.on_tick(now);
    if (drain_.state() == DrainState::refusing && host_.generations().idle()) drain_.on_idle(now);
    if (carried_out_ != drain_.state()) carry_out(drain_.state());
    arm_timer();
  }

  void carry_out(DrainState state) {
    carried_out_ = state;
    log_.debug(fmt::format("the daemon is {}", name_of(state)));
    switch (state) {
      case DrainState::serving:
      case DrainState::notice: return;
      case DrainState::refusing: return host_.generations().refuse_new();
      case DrainState::closing:
        host_.generations().end_all({ErrorCode::unavailable, "this server is shutting down", {}});
        return server_->close_when_idle([this] {
          drain_.on_closed();
          wake();
        });
      case DrainState::ended: return core_.stop();
    }
    UNREACHABLE();
  }

  void arm_timer() {
    const std::optional<TimePoint> deadline = next_deadline();
    if (deadline == armed_) return;
    armed_ = deadline;
    timer_.cancel();
    if (!deadline) return;
    timer_.expires_at(*deadline);
    timer_.async_wait([this](const boost::system::error_code& ec) {
      if (ec) return;
      armed_.reset();
      advance();
    });
  }

  std::optional<TimePoint> next_deadline() const {
    const std::optional<TimePoint> drain = drain_.next_deadline();
    const std::optional<TimePoint> generations = host_.generations().next_deadline();
    if (!drain || !generations) return drain ? drain : generations;
    return std::min(*drain, *generations);
  }

  const config::ServeOptions& options_;
  telemetry::Log log_;
  boost::asio::io_context core_{1};
  boost::asio::signal_set signals_{core_, SIGTERM, SIGINT};
  boost::asio::signal_set hangups_{core_, SIGHUP};
  boost::asio::steady_timer timer_{core_};
  std::optional<TimePoint> armed_;  // when timer_ ends
  bool woken_ = false;
  int exit_code_ = 0;
  Drain drain_;
  DrainState carried_out_ = DrainState::serving;
  admission::Admission admission_;
  ModelHost host_;
  Figures figures_;
  Backend backend_;
  api::Api api_;
  std::unique_ptr<http::Server> server_;
};

}  // namespace

int serve(const config::ServeOptions& options, const std::filesystem::path& executable_folder) {
  name_this_thread("core");
  raise_descriptor_limit();
  ignore_broken_pipes();
  const Result<std::string> executable = worker_executable(executable_folder, options.runtime);
  if (!executable) {
    complain("--runtime: " + executable.error().message);
    return config::kExitUsage;
  }
  return Daemon(options, *executable).run();
}

}  // namespace sluice::daemon
