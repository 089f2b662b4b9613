#include "api/fake_backend.h"

#include <gtest/gtest.h>

namespace sluice::api {

void FakeBackend::render(std::vector<ChatMessage> messages, bool add_generation_prompt, PromptCallback done) {
  EXPECT_TRUE(add_generation_prompt);
  rendered.push_back(std::move(messages));
  waiting_prompts.push_back(std::move(done));
}

void FakeBackend::tokenize(std::string text, bool add_special, bool parse_special, PromptCallback done) {
  EXPECT_TRUE(add_special);
  EXPECT_TRUE(parse_special);
  tokenized.push_back(std::move(text));
  waiting_prompts.push_back(std::move(done));
}

Result<GenerationId> FakeBackend::start(GenerationSpec spec, Listener listener) {
  if (start_error && specs.size() >= start_error_from) return std::unexpected(*start_error);
  specs.push_back(std::move(spec));
  listeners[specs.size()] = std::move(listener);
  return GenerationId{specs.size()};
}

void FakeBackend::cancel(GenerationId id) {
  if (listeners.erase(id.raw) > 0) cancelled.push_back(id.raw);
}

void FakeBackend::answer_prompt(Result<std::vector<Token>> tokens) {
  ASSERT_FALSE(waiting_prompts.empty());
  auto done = std::move(waiting_prompts.front());
  waiting_prompts.pop_front();
  done(std::move(tokens));
}

void FakeBackend::tell(size_t generation, const Fact& fact) {
  const auto found = listeners.find(generation + 1);
  if (found == listeners.end()) return;
  const Listener listener = found->second;
  if (std::holds_alternative<Finished>(fact) || std::holds_alternative<Failed>(fact)) listeners.erase(found);
  listener(fact);
}

void FakeExchange::reply(http::Response r) {
  ++replies;
  response = std::move(r);
}

void FakeExchange::begin_stream(int status, std::string content_type, std::vector<http::Header> headers) {
  EXPECT_EQ(status, 200);
  EXPECT_EQ(content_type, "text/event-stream");
  EXPECT_FALSE(stream_begun);
  stream_headers = std::move(headers);
  stream_begun = true;
}

void FakeExchange::write(std::string chunk) {
  EXPECT_TRUE(stream_begun && !stream_ended);
  if (!gone_) streamed += chunk;
}

void FakeExchange::end_stream() {
  EXPECT_TRUE(stream_begun && !stream_ended);
  stream_ended = true;
}

void FakeExchange::leave() {
  gone_ = true;
  if (const auto told = std::exchange(on_gone_, nullptr)) told();
}

config::ApiKey key_of(std::string name, const std::string& text) {
  config::ApiKey key;
  key.name = std::move(name);
  key.hash = sha256(text);
  return key;
}

static std::vector<config::ApiKey> keys_of(const std::vector<std::string>& texts) {
  std::vector<config::ApiKey> keys;
  for (const std::string& text : texts) keys.push_back(key_of("key" + std::to_string(keys.size() + 1), text));
  return keys;
}

ApiTest::ApiTest(const std::vector<std::string>& keys, Api::Options options) : ApiTest({}, keys_of(keys), options) {}

ApiTest::ApiTest(config::QueueLimits limits, std::vector<config::ApiKey> keys, Api::Options options)
    : admission(limits, std::move(keys), backend.time),
      api(backend, admission, options, [this](const telemetry::AccessEntry& entry) { logged.push_back(entry); }) {}

std::shared_ptr<FakeExchange> ApiTest::send(http::Method method, std::string path, std::string body,
                                            std::vector<http::Header> headers) {
  http::Request request;
  request.method = method;
  request.path = std::move(path);
  request.body = std::move(body);
  request.headers = std::move(headers);
  request.id = "r1";
  request.received = backend.time;
  auto exchange = std::make_shared<FakeExchange>(std::move(request));
  api.handle(exchange);
  return exchange;
}

std::shared_ptr<FakeExchange> ApiTest::chat(const std::string& more_fields, std::vector<http::Header> headers) {
  return send(http::Method::post, "/v1/chat/completions",
              R"({"messages":[{"role":"user","content":"hi"}])" + more_fields + "}", std::move(headers));
}

std::shared_ptr<FakeExchange> ApiTest::complete(const std::string& more_fields, const std::string& prompt) {
  return send(http::Method::post, "/v1/completions", R"({"prompt":)" + prompt + more_fields + "}");
}

Output words(std::string text, size_t tokens) {
  Output output;
  output.text = std::move(text);
  output.tokens.assign(tokens, 7);
  return output;
}

Finished finished(FinishReason reason, Usage usage) {
  Finished fact;
  fact.reason = reason;
  fact.usage = usage;
  fact.timings = {std::chrono::milliseconds(5), std::chrono::milliseconds(20), std::chrono::milliseconds(100)};
  return fact;
}

}  // namespace sluice::api
