// GET /slots: whose route it is, and what it says.
#include "api/slots.h"

#include <gtest/gtest.h>

#include "api/fake_backend.h"

namespace sluice::api {
namespace {

using namespace std::chrono_literals;
using http::Method;

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

LiveGeneration live(uint64_t id, Whereabouts where) {
  LiveGeneration g;
  g.id = GenerationId{id};
  g.where = where;
  g.prompt_tokens = 100;
  g.max_tokens = 50;
  g.age = 1500ms;
  return g;
}

Standing stands(Doing doing, WaitsFor waits_for = WaitsFor::nothing) {
  Standing standing;
  standing.doing = doing;
  standing.waits_for = waits_for;
  return standing;
}

LiveGeneration decoding(uint64_t id, int32_t sequence) {
  LiveGeneration g = live(id, Whereabouts::running);
  g.answer_tokens = 21;
  g.standing = stands(Doing::decode);
  g.standing->sequence = SequenceId{sequence};
  g.standing->computed = 120;
  g.standing->cached = 40;
  g.standing->timings = {5ms, 200ms, 1s};
  return g;
}

std::string body_of(const LiveView& view, const KeyLabels& labels = {}) { return slots_response(view, labels).body; }

TEST(Slots, ALaneTellsWhatItDoesForWhomAndHowFast) {
  LiveGeneration g = decoding(7, 1);
  g.cls = Class::interactive;
  g.class_named = true;
  g.key = 3;
  g.has_session = true;
  EXPECT_EQ(body_of({.lanes = 1, .window = 4096, .worker_told = true, .generations = {g}}, {{3, "team-a"}}),
            R"({"worker_told":true,"window":4096,"lanes":[{"state":"decode","generation":7,"sequence":1,)"
            R"("class":"interactive","class_named":true,"key":"team-a","session":true,"prompt_tokens":100,)"
            R"("answer_tokens":21,"max_tokens":50,"age_ms":1500,"cached_tokens":40,"computed_tokens":120,)"
            R"("queue_ms":5,"prefill_ms":200,"decode_ms":1000,"prefill_per_second":300,"decode_per_second":20}],)"
            R"("waiting":[]})");
}

TEST(Slots, ARateIsNullWhereNothingWasDone) {
  LiveGeneration g = decoding(7, 1);
  g.answer_tokens = 1;
  g.standing->timings = {};
  const std::string body = body_of({.lanes = 1, .window = 0, .worker_told = true, .generations = {g}});
  EXPECT_TRUE(says(body, R"("prefill_per_second":null,"decode_per_second":null)")) << body;
  EXPECT_TRUE(says(body, R"("key":null,"session":false)")) << body;
}

TEST(Slots, LanesAreInTheOrderOfTheirSequencesAndFreeOnesLast) {
  const std::string body =
      body_of({.lanes = 3, .window = 0, .worker_told = true, .generations = {decoding(1, 2), decoding(2, 0)}});
  const size_t first = body.find(R"("generation":2)"), second = body.find(R"("generation":1)");
  EXPECT_LT(first, second);
  EXPECT_TRUE(says(body.substr(second), R"(},{"state":"free"}],"waiting":[]})")) << body;
}

TEST(Slots, ALaneThatTheDaemonHoldsBackTellsThatAndSinceWhen) {
  LiveGeneration held_back = decoding(7, 1);
  held_back.standing->waits_for = WaitsFor::daemon;
  held_back.standing->starved = 800ms;
  const LiveView view{.lanes = 2, .window = 0, .worker_told = true, .generations = {decoding(6, 0), held_back}};
  const std::string body = body_of(view);
  EXPECT_TRUE(says(body, R"({"state":"decode","generation":7,"waits_for":"daemon","waits_ms":800,"sequence":1,)"))
      << body;
  EXPECT_TRUE(says(body, R"({"state":"decode","generation":6,"sequence":0,)")) << "which waits for nothing: " << body;
}

TEST(Slots, WhoWaitsTellsForWhatInItsOrder) {
  LiveGeneration late = live(1, Whereabouts::waiting), parked = live(2, Whereabouts::running);
  late.standing = stands(Doing::waiting, WaitsFor::class_lanes);
  late.standing->ahead = 1;
  late.standing->starved = 1200ms;
  parked.standing = stands(Doing::preempted, WaitsFor::lane);
  parked.standing->computed = parked.standing->parked = 90;
  const LiveView view{
      .lanes = 0, .window = 0, .worker_told = true, .generations = {live(3, Whereabouts::queued), late, parked}};
  const std::string body = body_of(view);
  const size_t at[] = {
      body.find(R"({"state":"preempted","generation":2,"waits_for":"lane","ahead":0,"waits_ms":0,"parked_tokens":90,)"),
      body.find(
          R"({"state":"waiting","generation":1,"waits_for":"class_lanes","ahead":1,"waits_ms":1200,"parked_tokens":0,)"),
      body.find(R"({"state":"queued","generation":3,"waits_for":"worker","class":"agent",)")};
  EXPECT_LT(at[0], at[1]) << body;
  EXPECT_LT(at[1], at[2]) << body;
  EXPECT_NE(at[2], std::string::npos) << body;
}

TEST(Slots, WithoutTheWorkersWordItSaysWhatTheDaemonKnows) {
  const std::string body = body_of({.lanes = 4,
                                    .window = 0,
                                    .worker_told = false,
                                    .generations = {live(1, Whereabouts::running), live(2, Whereabouts::waiting)}});
  EXPECT_TRUE(body.starts_with(R"({"worker_told":false,)")) << body;
  EXPECT_TRUE(says(body, R"("lanes":[{"state":"running","generation":1,"class")")) << body;
  EXPECT_TRUE(says(body, R"("waiting":[{"state":"waiting","generation":2,"waits_for":"unknown",)")) << body;
  EXPECT_FALSE(says(body, "free"));
}

TEST(SlotsRoute, AnswersWhenTheWorkerHasSpoken) {
  ApiTest test;
  const auto exchange = test.send(Method::get, "/slots");
  EXPECT_EQ(exchange->replies, 0);
  test.backend.waiting_looks.at(0)({});
  EXPECT_EQ(exchange->response.status, 200);
  EXPECT_EQ(exchange->response.content_type, "application/json");
  EXPECT_EQ(test.logged.at(0).route, "/slots");
}

TEST(SlotsRoute, OneLookAnswersAllWhoAskMeanwhile) {
  ApiTest test;
  const auto first = test.send(Method::get, "/slots"), left = test.send(Method::get, "/slots"),
             last = test.send(Method::get, "/slots");
  ASSERT_EQ(test.backend.waiting_looks.size(), 1u);
  left->leave();
  test.backend.waiting_looks.at(0)({.lanes = 2, .window = 64, .worker_told = true, .generations = {decoding(7, 1)}});
  EXPECT_TRUE(says(first->response.body, R"("generation":7)")) << first->response.body;
  EXPECT_EQ(last->response.body, first->response.body);
  EXPECT_EQ(left->replies, 0);
  EXPECT_EQ(test.logged.size(), 3u);
  test.send(Method::get, "/slots");
  EXPECT_EQ(test.backend.waiting_looks.size(), 2u) << "the next one is asked anew";
}

TEST(SlotsRoute, AClientThatLeftMeanwhileIsLoggedAsGone) {
  ApiTest test;
  const auto exchange = test.send(Method::get, "/slots");
  exchange->leave();
  test.backend.waiting_looks.at(0)({});
  EXPECT_EQ(exchange->replies, 0);
  EXPECT_EQ(test.logged.at(0).status, 499);
}

TEST(SlotsRoute, NeedsAKeyAlsoWhereMetricsAreOpenAndNamesKeysThatHaveSomethingLive) {
  ApiTest test({"secret", "other"}, {.metrics_open = true});
  EXPECT_EQ(test.send(Method::get, "/slots")->response.status, 401);
  EXPECT_TRUE(test.backend.waiting_looks.empty());
  test.chat("", {{"X-Api-Key", "other"}});
  const auto exchange = test.send(Method::get, "/slots", "", {{"X-Api-Key", "secret"}});
  LiveGeneration g = live(1, Whereabouts::queued);
  g.key = 2;
  test.backend.waiting_looks.at(0)({.lanes = 1, .window = 0, .worker_told = true, .generations = {g}});
  EXPECT_TRUE(says(exchange->response.body, R"("key":"key2")")) << exchange->response.body;
  EXPECT_FALSE(says(exchange->response.body, "other"));
}

}  // namespace
}  // namespace sluice::api
