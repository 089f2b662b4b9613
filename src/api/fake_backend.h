// For tests: a daemon and a client that do what the test says, when it says so.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "api/api.h"
#include "api/backend.h"

namespace sluice::api {

class FakeBackend final : public Backend {
 public:
  const ModelFacts& model() const override { return facts; }
  void render(std::vector<ChatMessage> messages, bool add_generation_prompt, PromptCallback done) override;
  void tokenize(std::string text, bool add_special, bool parse_special, PromptCallback done) override;
  Result<GenerationId> start(GenerationSpec spec, Listener listener) override;
  void cancel(GenerationId id) override;
  void wait_on(GenerationId id) override { waiting_on.push_back(id.raw); }
  StatusSnapshot status() const override { return snapshot; }
  std::string metrics_text() override { return "# metrics\n"; }
  void look(ViewCallback done) override { waiting_looks.push_back(std::move(done)); }
  TimePoint now() const override { return time; }
  int64_t unix_seconds() const override { return 1'700'000'000; }
  uint64_t random() override { return ++randoms; }

  // The oldest codec call that waits is answered.
  void answer_prompt(Result<std::vector<Token>> tokens);
  void tell(size_t generation, const Fact& fact);  // by its number, from 0, in the order of starts
  size_t live() const { return listeners.size(); }

  ModelFacts facts{"tiny", {{"small", {}}}, 1'600'000'000, std::nullopt, "sluice-test", ModelShape{100, 1000}};
  StatusSnapshot snapshot;
  TimePoint time{};
  uint64_t randoms = 0;
  std::vector<std::vector<ChatMessage>> rendered;
  std::vector<std::string> tokenized;
  std::deque<PromptCallback> waiting_prompts;
  std::deque<ViewCallback> waiting_looks;
  std::vector<GenerationSpec> specs;
  std::map<uint64_t, Listener> listeners;  // of generations that have not ended
  std::vector<uint64_t> cancelled, waiting_on;
  std::optional<Error> start_error;  // of every start() from `start_error_from` on
  size_t start_error_from = 0;
};

class FakeExchange final : public http::Exchange {
 public:
  explicit FakeExchange(http::Request request) : request_(std::move(request)) {}
  const http::Request& request() const override { return request_; }
  void reply(http::Response response) override;
  void begin_stream(int status, std::string content_type, std::vector<http::Header> headers) override;
  void write(std::string chunk) override;
  void end_stream() override;
  void on_gone(std::function<void()> gone) override { on_gone_ = std::move(gone); }
  bool gone() const override { return gone_; }
  void leave();  // the client closes its connection

  int replies = 0;
  http::Response response;
  std::vector<http::Header> stream_headers;
  bool stream_begun = false;
  bool stream_ended = false;
  std::string streamed;

 private:
  http::Request request_;
  std::function<void()> on_gone_;
  bool gone_ = false;
};

// An Api over a FakeBackend, and what it logged.
class ApiTest {
 public:
  explicit ApiTest(const std::vector<std::string>& keys = {}, Api::Options options = {});
  explicit ApiTest(config::QueueLimits limits, std::vector<config::ApiKey> keys, Api::Options options = {});
  std::shared_ptr<FakeExchange> send(http::Method method, std::string path, std::string body = {},
                                     std::vector<http::Header> headers = {});
  std::shared_ptr<FakeExchange> chat(const std::string& more_fields = {},  // one short message
                                     std::vector<http::Header> headers = {});
  std::shared_ptr<FakeExchange> complete(const std::string& more_fields = {}, const std::string& prompt = "\"hi\"");

  FakeBackend backend;
  std::vector<telemetry::AccessEntry> logged;
  admission::Admission admission;
  Api api;
};

config::ApiKey key_of(std::string name, const std::string& text);
Output words(std::string text, size_t tokens = 1);
Finished finished(FinishReason reason, Usage usage);

}  // namespace sluice::api
