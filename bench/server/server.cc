#include "bench/server/server.h"

#include <algorithm>
#include <boost/json.hpp>
#include <functional>

#include "base/limits.h"
#include "bench/machine/processes.h"
#include "http/url.h"

namespace sluice::bench {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

constexpr Duration kAskAgain = 20ms;  // a server cannot tell us when it is ready: it is asked
constexpr Duration kAnswerMax = 30s;
constexpr size_t kLastLines = 12;
constexpr size_t kReplyShown = 200;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string last_lines(const std::string& text) {
  const auto lines = lines_of(text);
  std::string last;
  for (size_t i = lines.size() > kLastLines ? lines.size() - kLastLines : 0; i < lines.size(); ++i) {
    last += lines[i] + "\n";
  }
  return last;
}

// llama.cpp's line on the machine, in whoever's log.
std::string system_info_in(const std::string& text) {
  for (const std::string& line : lines_of(text)) {
    if (line.find("system_info") != std::string::npos || line.find("SSE3 = 1") != std::string::npos) return line;
  }
  return {};
}

// The ids in a /v1/models reply.
std::vector<std::string> models_in(const std::string& body) {
  std::vector<std::string> models;
  boost::system::error_code ec;
  const json::value reply = json::parse(body, ec);
  const auto* data = ec ? nullptr : reply.find_pointer("/data", ec);
  if (data == nullptr || !data->is_array()) return models;
  for (const json::value& model : data->get_array()) {
    const auto* id = model.find_pointer("/id", ec);
    if (id != nullptr && id->is_string()) models.emplace_back(id->get_string());
  }
  return models;
}

}  // namespace

Server Server::at_url(const config::BenchUrl& url, std::vector<http::Header> headers) {
  Server server;
  server.facts_.name = url.name;
  server.facts_.kind = url.kind.empty() ? name_of(Kind::url) : url.kind;
  server.facts_.url = url.url;
  server.target_.dialect = dialect_of(kind_named(url.kind).value_or(Kind::url));
  server.target_.headers = std::move(headers);
  server.wanted_model_ = url.model;
  return server;
}

Server Server::started(Planner planner, std::vector<http::Header> headers) {
  Server server;
  server.planner_ = std::move(planner);
  server.target_.headers = std::move(headers);
  server.plan();
  return server;
}

std::optional<Server> Server::another() const {
  if (!is_ours()) return std::nullopt;
  return started(planner_, target_.headers);
}

// A port of its own for every start: the last one's may still be held by connections that end.
void Server::plan() {
  const uint16_t port = free_port();
  launch_ = planner_(port);
  facts_.name = launch_->name;
  facts_.kind = name_of(launch_->kind);
  facts_.url = "http://127.0.0.1:" + std::to_string(port);
  facts_.argv = launch_->argv;
  facts_.lanes = launch_->lanes;
  facts_.context = launch_->context;
  facts_.environment.clear();
  for (const auto& [name, value] : launch_->environment) facts_.environment.push_back(name + "=" + value);
  target_.dialect = dialect_of(launch_->kind);
}

bool Server::fail_with(RowState state, std::string words) {
  facts_.state = state;
  facts_.stderr_tail = process_ ? last_lines(process_->output()) : "";
  if (process_) {
    const auto exit = process_->exited();
    facts_.exit_code = exit ? exit->code : std::nullopt;
    facts_.signal = exit ? exit->signal : std::nullopt;
  }
  if (!words.empty()) facts_.stderr_tail += words + "\n";
  process_.reset();
  running_ = false;
  return false;
}

bool Server::start(Loop& loop) {
  facts_.state = RowState::served;
  if (is_ours()) plan();
  const auto address = resolve(facts_.url);
  if (!address) return fail_with(RowState::did_not_start, address.error().message);
  target_.address = *address;
  const TimePoint begun = Clock::now();
  if (launch_) {
    auto process = Process::start(launch_->argv, launch_->environment);
    if (!process) return fail_with(RowState::did_not_start, process.error().message);
    process_ = std::move(*process);
    pid_ = process_->pid();
  }
  if (!await_ready(loop)) return false;
  facts_.ready_ms = to_ms(Clock::now() - begun);
  take_words();
  if (const auto why = ask_models(loop); !why.empty()) return fail_with(RowState::did_not_start, "/v1/models: " + why);
  running_ = true;
  return true;
}

bool Server::await_ready(Loop& loop) {
  if (!launch_) {
    // On another machine nobody knows what it computes and holds.
    if (target_.address.endpoint.address().is_loopback()) pid_ = listener_of(target_.address.endpoint.port());
    return true;
  }
  const TimePoint until = Clock::now() + limits::bench_ready_time_max;
  bool ready = false;
  std::function<void()> ask = [&] {
    if (process_->exited() || Clock::now() > until) return;
    loop.send(target_.address, get_request(target_.address, launch_->ready_path, target_.headers), {}, kAnswerMax,
              [&](const Recording& answer) {
                ready = answer.status == 200;
                if (!ready) loop.at(Clock::now() + kAskAgain, ask);
              });
  };
  ask();
  loop.run();
  if (ready) return true;
  return fail_with(RowState::did_not_start, process_->exited() ? "" : "not ready in time");
}

// Empty, or why it cannot be asked anything.
std::string Server::ask_models(Loop& loop) {
  Recording reply;
  loop.send(target_.address, get_request(target_.address, "/v1/models", target_.headers), {}, kAnswerMax,
            [&](Recording recording) { reply = std::move(recording); });
  loop.run();
  if (reply.end != WireEnd::whole) return std::string(name_of(reply.end)) + (reply.why.empty() ? "" : ": " + reply.why);
  if (reply.status != 200) return "status " + std::to_string(reply.status) + ": " + reply.body.substr(0, kReplyShown);
  models_ = models_in(reply.body);
  if (models_.empty()) return "no model in " + reply.body.substr(0, kReplyShown);
  const char* known = target_.dialect.model;
  facts_.model_id = !wanted_model_.empty() ? wanted_model_ : known != nullptr ? known : models_.front();
  target_.model = facts_.model_id;
  return {};
}

void Server::take_words() {
  if (!process_) return;
  const auto lines = lines_of(process_->output());
  if (!lines.empty()) facts_.start_line = lines.back();
  facts_.system_info = system_info_in(process_->first_output());
  if (facts_.version.empty() && !launch_->version_argv.empty()) {
    facts_.version = last_lines(output_of(launch_->version_argv, launch_->environment));
  }
}

bool Server::serves() {
  if (!running_) return false;
  if (!process_ || !process_->exited()) return true;
  return fail_with(RowState::died, "");
}

void Server::stop() {
  running_ = false;
  if (!process_) return;
  process_->end();
  process_.reset();
  pid_.reset();
}

}  // namespace sluice::bench
