// Who a request is and what it may: class, key, session, limits; and that a refusal asks no process.
#include "admission/admission.h"

#include <gtest/gtest.h>

#include "api/fake_backend.h"

namespace sluice::api {
namespace {

using http::Method;

const std::vector<Token> kTokens{1, 2, 3};
bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string header(const std::vector<http::Header>& headers, std::string_view name) {
  for (const auto& one : headers) {
    if (one.name == name) return one.value;
  }
  return {};
}

std::string code_of(const FakeExchange& exchange) {
  const std::string& body = exchange.response.body;
  const size_t at = body.find("\"code\":\"");
  if (at == std::string::npos) return body;
  const size_t begin = at + 8;
  return body.substr(begin, body.find('"', begin) - begin);
}

http::Header key(const std::string& text) { return {"Authorization", "Bearer " + text}; }

TEST(Class, OfTheRequestReachesTheWorkerTheReplyAndTheLog) {
  ApiTest test;
  const auto exchange = test.chat(R"(,"class":"background")", {{"X-Sluice-Class", "interactive"}});
  test.backend.answer_prompt(kTokens);
  EXPECT_EQ(test.backend.specs.at(0).cls, Class::interactive);
  EXPECT_TRUE(test.backend.specs.at(0).class_named);
  test.backend.tell(0, Accepted{});
  test.backend.tell(0, words("x"));
  test.backend.tell(0, finished(FinishReason::stop, {3, 0, 1}));
  EXPECT_EQ(header(exchange->response.headers, "X-Sluice-Class"), "interactive");
  EXPECT_EQ(test.logged.at(0).cls, "interactive");
}

TEST(Class, IsInAStreamsHeadToo) {
  ApiTest test;
  const auto exchange = test.chat(R"(,"stream":true,"service_tier":"flex")");
  test.backend.answer_prompt(kTokens);
  test.backend.tell(0, Accepted{});
  test.backend.tell(0, words("x"));
  EXPECT_EQ(header(exchange->stream_headers, "X-Sluice-Class"), "background");
}

TEST(Class, WhereNobodyNamesOneIsAgentAndUnnamed) {
  ApiTest test;
  test.chat();
  test.backend.answer_prompt(kTokens);
  EXPECT_EQ(test.backend.specs.at(0).cls, Class::agent);
  EXPECT_FALSE(test.backend.specs.at(0).class_named);
}

TEST(Class, MayComeWithTheModelsName) {
  ApiTest test;
  test.backend.facts.aliases = {{"small", {}}, {"bulk", Class::background}};
  test.chat(R"(,"model":"bulk")");
  test.chat(R"(,"model":"bulk","class":"agent")");
  test.chat(R"(,"model":"small")");
  for (int i = 0; i < 3; ++i) test.backend.answer_prompt(kTokens);
  EXPECT_EQ(test.backend.specs.at(0).cls, Class::background);
  EXPECT_EQ(test.backend.specs.at(1).cls, Class::agent);
  EXPECT_FALSE(test.backend.specs.at(2).class_named);
}

TEST(Class, ThatIsNoneIsRefused) {
  ApiTest test;
  const auto exchange = test.chat("", {{"X-Sluice-Class", "fast"}});
  EXPECT_EQ(exchange->response.status, 400);
  EXPECT_TRUE(contains(exchange->response.body, R"("param":"X-Sluice-Class")"));
  EXPECT_TRUE(test.backend.rendered.empty());
}

TEST(Class, IsNeverBetterThanTheKeysBest) {
  auto background = key_of("batch", "secret");
  background.max_class = Class::background;
  ApiTest test({}, {background});
  const auto exchange = test.chat(R"(,"class":"interactive","stream":true)", {key("secret")});
  test.backend.answer_prompt(kTokens);
  test.backend.tell(0, Accepted{});
  test.backend.tell(0, words("x"));
  EXPECT_EQ(test.backend.specs.at(0).cls, Class::background);
  EXPECT_EQ(header(exchange->stream_headers, "X-Sluice-Class"), "background");
}

TEST(Whom, KeyAndSessionReachTheWorker) {
  ApiTest test({"alpha", "beta"});
  test.chat(R"(,"user":"s1")", {key("alpha")});
  test.chat("", {key("beta"), {"x-session-id", "s1"}});
  test.chat("", {key("alpha"), {"x-session-id", "s1"}});
  test.chat("", {key("alpha")});
  for (int i = 0; i < 4; ++i) test.backend.answer_prompt(kTokens);
  const auto& specs = test.backend.specs;
  EXPECT_EQ(specs.at(0).key, specs.at(2).key);
  EXPECT_NE(specs.at(0).key, specs.at(1).key);
  EXPECT_NE(specs.at(0).key, 0u);
  EXPECT_EQ(specs.at(0).session, specs.at(2).session);
  EXPECT_NE(specs.at(0).session, specs.at(1).session);
  EXPECT_EQ(specs.at(3).session, 0u);
}

TEST(Whom, WithoutKeysIsNobody) {
  ApiTest test;
  test.chat();
  test.backend.answer_prompt(kTokens);
  EXPECT_EQ(test.backend.specs.at(0).key, 0u);
}

TEST(Limits, OfAKeyAre429WithACodeAndATimeAndAskNoCodec) {
  auto limited = key_of("team", "secret");
  limited.requests_per_minute = 1;
  ApiTest test({}, {limited});
  test.chat("", {key("secret")});
  const auto refused = test.chat("", {key("secret")});
  EXPECT_EQ(refused->response.status, 429);
  EXPECT_EQ(code_of(*refused), "rate_limit_requests");
  EXPECT_EQ(header(refused->response.headers, "Retry-After"), "60");
  EXPECT_EQ(test.backend.rendered.size(), 1u);
  EXPECT_EQ(test.logged.at(0).error_code, "rate_limit_requests");
  EXPECT_EQ(test.logged.at(0).key_label, "team");
}

TEST(Limits, OfTokensCountPromptsAndAnswers) {
  auto limited = key_of("team", "secret");
  limited.tokens_per_minute = 6;
  ApiTest test({}, {limited});
  test.chat("", {key("secret")});
  test.chat("", {key("secret")});
  test.backend.answer_prompt(kTokens);
  test.backend.tell(0, Accepted{});
  test.backend.tell(0, words("x", 3));
  EXPECT_EQ(code_of(*test.chat("", {key("secret")})), "rate_limit_tokens");
  test.backend.answer_prompt(kTokens);
  EXPECT_EQ(test.backend.specs.size(), 1u);
  EXPECT_EQ(test.logged.at(1).error_code, "rate_limit_tokens");
}

// A key that may use just the tokens of one prompt in a minute, and has none left while that one is charged.
class TokensOfAPrompt : public testing::Test {
 protected:
  static config::ApiKey limited() {
    auto team = key_of("team", "secret");
    team.tokens_per_minute = kTokens.size();
    team.requests_per_minute = 2;
    return team;
  }
  std::shared_ptr<FakeExchange> ask(const std::string& more_fields = {}) {
    return test.chat(more_fields, {key("secret")});
  }
  std::shared_ptr<FakeExchange> ask_with_prompt() {
    auto exchange = ask();
    test.backend.answer_prompt(kTokens);
    return exchange;
  }
  ApiTest test{{}, {limited()}};
};

TEST_F(TokensOfAPrompt, AreGivenBackWhereTheWorkerRefusesIt) {
  for (const auto code :
       {ErrorCode::queue_too_long, ErrorCode::key_queue_too_long, ErrorCode::timed_out, ErrorCode::overloaded}) {
    test.backend.time += std::chrono::minutes(1);  // of requests there are enough again
    ask_with_prompt();
    test.backend.tell(test.backend.specs.size() - 1, Failed{{code, "not now", ""}});
    EXPECT_EQ(ask()->replies, 0) << name_of(code);
    test.backend.waiting_prompts.clear();
  }
}

TEST_F(TokensOfAPrompt, AreGivenBackWhereTheDaemonRefusesIt) {
  test.backend.start_error = Error{ErrorCode::overloaded, "not now", ""};
  ask_with_prompt();
  EXPECT_EQ(ask()->replies, 0);
}

TEST_F(TokensOfAPrompt, AreGivenBackWhereAnotherPromptOfItIsWrong) {
  const auto exchange = test.send(Method::post, "/v1/completions", R"({"prompt":["a","b"]})", {key("secret")});
  test.backend.answer_prompt(kTokens);
  test.backend.answer_prompt(fail(ErrorCode::invalid, "wrong"));
  EXPECT_EQ(exchange->response.status, 400);
  EXPECT_EQ(ask()->replies, 0);
}

TEST_F(TokensOfAPrompt, AreGivenBackWhereItWaitedInVain) {
  ask_with_prompt();
  test.backend.tell(0, Accepted{});
  test.backend.tell(0, Failed{{ErrorCode::queue_timeout, "no lane", ""}});
  EXPECT_EQ(ask()->replies, 0);
}

TEST_F(TokensOfAPrompt, StayUsedOnceOneOfItsAnswersHasALane) {
  ask(R"(,"n":2)");
  test.backend.answer_prompt(kTokens);
  for (const size_t i : {0, 1}) test.backend.tell(i, Accepted{});
  test.backend.tell(0, Started{});
  test.backend.tell(1, Failed{{ErrorCode::worker_lost, "gone", ""}});
  EXPECT_EQ(code_of(*ask()), "rate_limit_tokens");
}

TEST_F(TokensOfAPrompt, StayUsedWhereTheClientLeaves) {
  ask_with_prompt()->leave();
  EXPECT_EQ(code_of(*ask()), "rate_limit_tokens");
}

TEST_F(TokensOfAPrompt, AreGivenBackAndTheRequestStaysCounted) {
  for (const size_t i : {0, 1}) {
    ask_with_prompt();
    test.backend.tell(i, Failed{{ErrorCode::overloaded, "not now", ""}});
  }
  EXPECT_EQ(code_of(*ask()), "rate_limit_requests");
}

TEST(Limits, OfAnswersAtOnceEndWithTheAnswer) {
  auto limited = key_of("team", "secret");
  limited.concurrency = 2;
  ApiTest test({}, {limited});
  const auto ask = [&] { return test.chat("", {key("secret")}); };
  const auto first = ask(), second = ask();
  EXPECT_EQ(code_of(*ask()), "concurrency_limit");
  first->leave();
  ask();
  EXPECT_EQ(code_of(*ask()), "concurrency_limit");
  test.backend.answer_prompt(kTokens);
  test.backend.answer_prompt(kTokens);
  test.backend.tell(0, Accepted{});
  test.backend.tell(0, Started{});
  test.backend.tell(0, finished(FinishReason::stop, {3, 0, 0}));
  EXPECT_EQ(second->response.status, 200);
  EXPECT_EQ(ask()->replies, 0);
}

TEST(Limits, OfTheServerAre503WithACode) {
  config::QueueLimits limits;
  limits.total = 2;
  limits.by_class[static_cast<size_t>(Class::background)] = 1;
  ApiTest test(limits, {});
  test.chat(R"(,"class":"background")");
  const auto of_class = test.chat(R"(,"class":"background")");
  EXPECT_EQ(of_class->response.status, 503);
  EXPECT_EQ(code_of(*of_class), "queue_full");
  EXPECT_EQ(header(of_class->response.headers, "X-Sluice-Class"), "background");
  test.chat();
  const auto of_all = test.chat();
  EXPECT_EQ(of_all->response.status, 503);
  EXPECT_EQ(header(of_all->response.headers, "Retry-After"), "2");
  EXPECT_EQ(test.backend.rendered.size(), 2u);
}

TEST(Limits, WhatTheWorkerHasNoRoomForIs503WithItsTime) {
  ApiTest test;
  const auto exchange = test.chat(R"(,"stream":true)");
  test.backend.answer_prompt(kTokens);
  test.backend.tell(0, Failed{{ErrorCode::overloaded, "too long a wait", "", std::chrono::seconds(9)}});
  EXPECT_EQ(exchange->response.status, 503);
  EXPECT_EQ(header(exchange->response.headers, "Retry-After"), "9");
}

TEST(Models, ANameThatGivesAClassIsListedAsAModel) {
  ApiTest test;
  test.backend.facts.aliases = {{"small", {}}, {"bulk", Class::background}};
  EXPECT_EQ(test.send(Method::get, "/v1/models")->response.body,
            R"({"object":"list","data":[{"id":"tiny","object":"model","created":1600000000,"owned_by":"sluice",)"
            R"("aliases":["small","bulk"],"context_window":100},{"id":"bulk","object":"model","created":1600000000,)"
            R"("owned_by":"sluice","aliases":[],"context_window":100,"root":"tiny","class":"background"}]})");
  EXPECT_TRUE(contains(test.send(Method::get, "/v1/models/bulk")->response.body, R"("class":"background")"));
}

}  // namespace
}  // namespace sluice::api
