// Routes, keys, models, health and metrics.
#include "api/api.h"

#include <gtest/gtest.h>

#include "api/fake_backend.h"

namespace sluice::api {
namespace {

using http::Method;

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string header(const FakeExchange& exchange, std::string_view name) {
  for (const auto& h : exchange.response.headers) {
    if (h.name == name) return h.value;
  }
  return {};
}

TEST(Router, AnUnknownPathIsNotFoundAndSaysWhatThereIs) {
  ApiTest test;
  const auto exchange = test.send(Method::get, "/v2/models");
  EXPECT_EQ(exchange->response.status, 404);
  EXPECT_TRUE(contains(exchange->response.body, "/v1/models"));
  EXPECT_TRUE(contains(exchange->response.body, "\"code\":\"not_found\""));
  EXPECT_EQ(test.logged.at(0).route, "other");
}

TEST(Router, AWrongMethodIsToldTheRightOnes) {
  ApiTest test;
  const auto exchange = test.send(Method::get, "/v1/completions");
  EXPECT_EQ(exchange->response.status, 405);
  EXPECT_EQ(header(*exchange, "Allow"), "POST, OPTIONS");
  EXPECT_EQ(test.send(Method::post, "/health")->response.status, 405);
  EXPECT_EQ(header(*test.send(Method::post, "/health"), "Allow"), "GET, HEAD, OPTIONS");
}

TEST(Router, OptionsAndHeadAreAnswered) {
  ApiTest test({"secret"});
  const auto options = test.send(Method::options, "/v1/models");
  EXPECT_EQ(options->response.status, 204);
  EXPECT_EQ(header(*options, "Allow"), "GET, HEAD, OPTIONS");
  EXPECT_EQ(test.send(Method::head, "/health")->replies, 1);
}

TEST(Keys, ARouteThatNeedsOneRefusesWithoutIt) {
  ApiTest test({"secret", "other"});
  for (const auto* path : {"/v1/models", "/v1/models/tiny", "/metrics"}) {
    EXPECT_EQ(test.send(Method::get, path)->response.status, 401) << path;
    EXPECT_EQ(test.send(Method::get, path, "", {{"Authorization", "Bearer wrong"}})->response.status, 401) << path;
    EXPECT_EQ(test.send(Method::get, path, "", {{"Authorization", "Bearer secret"}})->response.status, 200) << path;
    EXPECT_EQ(test.send(Method::get, path, "", {{"X-Api-Key", "other"}})->response.status, 200) << path;
  }
  EXPECT_EQ(test.chat()->response.status, 401);
  EXPECT_TRUE(test.backend.rendered.empty());
  EXPECT_EQ(test.logged.at(2).key_label, "key1");
  EXPECT_EQ(test.logged.at(3).key_label, "key2");
  EXPECT_EQ(test.logged.at(0).error_code, "unauthorized");
}

TEST(Keys, MetricsMayBeOpen) {
  ApiTest test({"secret"}, {.metrics_open = true});
  const auto exchange = test.send(Method::get, "/metrics");
  EXPECT_EQ(exchange->response.status, 200);
  EXPECT_EQ(exchange->response.body, "# metrics\n");
  EXPECT_EQ(exchange->response.content_type, "text/plain; version=0.0.4; charset=utf-8");
}

TEST(Models, AreListedWithAliasesAndWindow) {
  ApiTest test;
  EXPECT_EQ(test.send(Method::get, "/v1/models")->response.body,
            R"({"object":"list","data":[{"id":"tiny","object":"model","created":1600000000,"owned_by":"sluice",)"
            R"("aliases":["small"],"context_window":100}]})");
}

TEST(Models, OneIsFoundByIdAndAliasAndNoOther) {
  ApiTest test;
  for (const auto* name : {"tiny", "small"}) {
    EXPECT_TRUE(contains(test.send(Method::get, std::string("/v1/models/") + name)->response.body, R"("id":"tiny")"));
  }
  const auto unknown = test.send(Method::get, "/v1/models/org/large");
  EXPECT_EQ(unknown->response.status, 404);
  EXPECT_TRUE(contains(unknown->response.body, R"(no model \"org/large\" here; this server has \"tiny\", \"small\")"));
  EXPECT_EQ(test.send(Method::get, "/v1/models/")->response.status, 404);
}

TEST(Models, ARequestForAnUnknownOneIsRefusedAndOneForAnAliasServed) {
  ApiTest test;
  const auto unknown = test.chat(R"(,"model":"gpt")");
  EXPECT_EQ(unknown->response.status, 404);
  EXPECT_TRUE(contains(unknown->response.body, R"("param":"model","code":"model_not_found")"));
  test.chat(R"(,"model":"small")");
  EXPECT_EQ(test.backend.rendered.size(), 1u);
}

TEST(Api, ARequestBeforeTheModelIsOpenWorksLater) {
  ApiTest test;
  test.backend.facts.shape.reset();
  const auto exchange = test.chat();
  EXPECT_EQ(exchange->response.status, 503);
  EXPECT_EQ(header(*exchange, "Retry-After"), "2");
}

TEST(Api, ABadRequestIsLoggedWithItsCode) {
  ApiTest test;
  EXPECT_EQ(test.chat(R"(,"n":0)")->response.status, 400);
  EXPECT_EQ(test.logged.at(0).error_code, "invalid");
  EXPECT_EQ(test.logged.at(0).status, 400);
}

TEST(Health, TellsAllFiguresWhenReady) {
  ApiTest test;
  test.backend.snapshot = {Readiness::ready, 8, 2, 1, 100, 40, 60, 12.5, 1 << 20, 2, 1};
  const auto exchange = test.send(Method::get, "/health");
  EXPECT_EQ(exchange->response.status, 200);
  EXPECT_EQ(exchange->response.body,
            R"({"status":"ok","model":"tiny","lanes":8,"lanes_busy":2,"waiting":1,"prompt_tokens":100,)"
            R"("cached_tokens":40,"completion_tokens":60,"tokens_per_second":12.5,"resident_bytes":1048576,)"
            R"("worker_starts":2,"worker_deaths":1})");
}

TEST(Health, IsUnavailableInEveryOtherState) {
  ApiTest test;
  const std::pair<Readiness, std::string> states[] = {{Readiness::loading, R"({"status":"loading",)"},
                                                      {Readiness::draining, R"({"status":"draining",)"},
                                                      {Readiness::failed, R"({"status":"failed",)"}};
  for (const auto& [readiness, begin] : states) {
    test.backend.snapshot.readiness = readiness;
    const auto exchange = test.send(Method::get, "/health");
    EXPECT_EQ(exchange->response.status, 503);
    EXPECT_TRUE(exchange->response.body.starts_with(begin)) << exchange->response.body;
  }
}

TEST(Health, IsOnlyAStatusForWhoHasNoKeyWhereKeysAreSet) {
  ApiTest test({"secret"});
  test.backend.snapshot.readiness = Readiness::ready;
  EXPECT_EQ(test.send(Method::get, "/health")->response.body, R"({"status":"ok"})");
  EXPECT_EQ(test.send(Method::get, "/health", "", {{"X-Api-Key", "wrong"}})->response.body, R"({"status":"ok"})");
  EXPECT_TRUE(contains(test.send(Method::get, "/health", "", {{"X-Api-Key", "secret"}})->response.body, "\"lanes\""));
}

TEST(Api, WordsHttpsOwnRefusalsInTheSameEnvelope) {
  EXPECT_EQ(Api::error_body(431, {ErrorCode::too_large, "header", {}}),
            R"({"error":{"message":"header","type":"invalid_request_error","param":null,"code":"too_large"}})");
}

}  // namespace
}  // namespace sluice::api
