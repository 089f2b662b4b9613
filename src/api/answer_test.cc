// One request from its body to its last byte, with a daemon that does what the test says.
#include "api/answer.h"

#include <gtest/gtest.h>

#include "api/fake_backend.h"

namespace sluice::api {
namespace {

using namespace std::chrono_literals;

const std::vector<Token> kTokens{1, 2, 3};
bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

size_t count(const std::string& text, std::string_view part) {
  size_t found = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

TEST(Answer, AReplyInOnePieceGathersWhatTheGenerationSaid) {
  ApiTest test;
  const auto exchange = test.chat();
  EXPECT_EQ(test.backend.rendered.at(0).at(0).content, "hi");
  test.backend.answer_prompt(kTokens);
  test.backend.tell(0, Accepted{});
  test.backend.tell(0, Started{1});
  test.backend.tell(0, words("Hel"));
  test.backend.tell(0, words("lo"));
  EXPECT_EQ(exchange->replies, 0);
  test.backend.tell(0, finished(FinishReason::stop, {3, 1, 2}));
  EXPECT_EQ(exchange->replies, 1);
  EXPECT_EQ(exchange->response.status, 200);
  EXPECT_TRUE(contains(exchange->response.body, R"("message":{"role":"assistant","content":"Hello"})"));
  EXPECT_TRUE(
      contains(exchange->response.body, R"("usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5)"));
  EXPECT_TRUE(contains(exchange->response.body, R"("id":"chatcmpl-0000)"));
  EXPECT_TRUE(contains(exchange->response.body, R"("timings":{"cache_n":1,)"));
  EXPECT_TRUE(contains(exchange->response.body, R"("system_fingerprint":"sluice-test")"));
}

TEST(Answer, AStreamsHeadWaitsForEveryAcceptance) {
  ApiTest test;
  const auto exchange = test.chat(R"(,"stream":true,"n":2)");
  test.backend.answer_prompt(kTokens);
  test.backend.tell(0, Accepted{});
  test.backend.tell(0, words("early"));
  EXPECT_FALSE(exchange->stream_begun);
  test.backend.tell(1, Accepted{});
  EXPECT_TRUE(exchange->stream_begun);
  EXPECT_TRUE(contains(exchange->streamed, "early"));
  test.backend.tell(1, words("late"));
  test.backend.tell(0, finished(FinishReason::stop, {3, 0, 1}));
  EXPECT_FALSE(exchange->stream_ended);
  test.backend.tell(1, finished(FinishReason::length, {3, 2, 1}));
  EXPECT_TRUE(exchange->stream_ended);
  EXPECT_TRUE(exchange->streamed.ends_with("data: [DONE]\n\n"));
  EXPECT_EQ(count(exchange->streamed, "\"finish_reason\":\"stop\""), 1u);
  EXPECT_EQ(count(exchange->streamed, "\"finish_reason\":\"length\""), 1u);
  EXPECT_FALSE(contains(exchange->streamed, "\"usage\""));
}

TEST(Answer, UsageEndsAStreamThatAskedForIt) {
  ApiTest test;
  const auto exchange = test.chat(R"(,"stream":true,"stream_options":{"include_usage":true})");
  test.backend.answer_prompt(kTokens);
  test.backend.tell(0, Accepted{});
  test.backend.tell(0, Started{2});
  test.backend.tell(0, words("x"));
  test.backend.tell(0, finished(FinishReason::stop, {3, 2, 1}));
  EXPECT_TRUE(contains(exchange->streamed,
                       R"("choices":[],"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4,)"
                       R"("prompt_tokens_details":{"cached_tokens":2}}})"));
}

TEST(Answer, EachOfNAnswersIsAGenerationWithItsOwnDrawsAndOneSeed) {
  ApiTest test;
  const auto exchange = test.chat(R"(,"n":3,"seed":9,"temperature":0.5,"stop":"END","max_tokens":7,"ignore_eos":true)");
  test.backend.answer_prompt(kTokens);
  ASSERT_EQ(test.backend.specs.size(), 3u);
  for (uint32_t i = 0; i < 3; ++i) {
    const GenerationSpec& spec = test.backend.specs[i];
    EXPECT_EQ(spec.prompt, kTokens);
    EXPECT_EQ(spec.choice, i);
    EXPECT_EQ(spec.sampling.seed, 9u);
    EXPECT_EQ(spec.sampling.temperature, 0.5f);
    EXPECT_EQ(spec.stop, std::vector<std::string>{"END"});
    EXPECT_EQ(spec.max_tokens, 7u);
    EXPECT_TRUE(spec.ignore_eos);
    test.backend.tell(i, Accepted{});
  }
  for (size_t i = 3; i-- > 0;) {
    test.backend.tell(i, words(std::to_string(i)));
    test.backend.tell(i, finished(FinishReason::stop, {3, 0, 1}));
  }
  EXPECT_TRUE(contains(exchange->response.body, R"("index":2,"message":{"role":"assistant","content":"2"})"));
  EXPECT_TRUE(contains(exchange->response.body, R"("prompt_tokens":3,"completion_tokens":3)"));
}

TEST(Answer, SeveralPromptsAreAnsweredInTheirOrder) {
  ApiTest test;
  const auto exchange = test.complete(R"(,"n":2)", R"(["a","b"])");
  EXPECT_EQ(test.backend.tokenized, (std::vector<std::string>{"a", "b"}));
  test.backend.answer_prompt(std::vector<Token>{1});
  EXPECT_TRUE(test.backend.specs.empty());
  test.backend.answer_prompt(std::vector<Token>{2, 2});
  ASSERT_EQ(test.backend.specs.size(), 4u);
  EXPECT_EQ(test.backend.specs[1].prompt, std::vector<Token>{1});
  EXPECT_EQ(test.backend.specs[1].choice, 1u);
  EXPECT_EQ(test.backend.specs[2].prompt, (std::vector<Token>{2, 2}));
  EXPECT_EQ(test.backend.specs[2].choice, 0u);
  for (size_t i = 0; i < 4; ++i) test.backend.tell(i, Accepted{});
  for (size_t i = 0; i < 4; ++i) {
    test.backend.tell(i, finished(FinishReason::stop, {i < 2 ? 1u : 2u, 0, 1}));
  }
  EXPECT_TRUE(contains(exchange->response.body, R"("prompt_tokens":3,"completion_tokens":4)"));
}

TEST(Answer, APromptOfTokensNeedsNoCodec) {
  ApiTest test;
  test.complete("", "[5,6]");
  ASSERT_EQ(test.backend.specs.size(), 1u);
  EXPECT_EQ(test.backend.specs[0].prompt, (std::vector<Token>{5, 6}));
}

TEST(Answer, AnAbsentSeedIsChosenOnce) {
  ApiTest test;
  test.complete(R"(,"n":2,"seed":-1)", "[5]");
  ASSERT_EQ(test.backend.specs.size(), 2u);
  EXPECT_NE(test.backend.specs[0].sampling.seed, 0u);
  EXPECT_EQ(test.backend.specs[0].sampling.seed, test.backend.specs[1].sampling.seed);
}

TEST(Answer, APromptThatFillsTheWindowIsRefusedWithBothFigures) {
  ApiTest test;
  const auto exchange = test.chat();
  test.backend.answer_prompt(std::vector<Token>(100, 1));
  EXPECT_EQ(exchange->response.status, 400);
  EXPECT_TRUE(contains(exchange->response.body, "\"code\":\"context_length_exceeded\""));
  EXPECT_TRUE(contains(exchange->response.body, "has 100 tokens"));
  EXPECT_TRUE(contains(exchange->response.body, "is 100 tokens"));
  EXPECT_TRUE(contains(exchange->response.body, "\"param\":\"messages\""));
  EXPECT_TRUE(test.backend.specs.empty());
}

TEST(Answer, MaxTokensIsTheRequestsElseTheDaemonsElseTheRestOfTheWindow) {
  const auto max_tokens = [](std::optional<uint32_t> daemons, const std::string& field) {
    ApiTest test;
    test.backend.facts.max_tokens = daemons;
    test.complete(field, "[1,2,3,4]");
    return test.backend.specs.at(0).max_tokens;
  };
  EXPECT_EQ(max_tokens(std::nullopt, ""), 96u);
  EXPECT_EQ(max_tokens(10, ""), 10u);
  EXPECT_EQ(max_tokens(10, R"(,"max_tokens":20)"), 20u);
  EXPECT_EQ(max_tokens(10, R"(,"max_tokens":2000)"), 96u);
}

TEST(Answer, APromptWithoutTokensIsRefused) {
  ApiTest test;
  const auto exchange = test.complete("", "\"\"");
  test.backend.answer_prompt(std::vector<Token>{});
  EXPECT_EQ(exchange->response.status, 400);
  EXPECT_TRUE(contains(exchange->response.body, "\"param\":\"prompt\""));
}

TEST(Answer, WhatTheCodecRefusesIsTheAnswer) {
  ApiTest test;
  const auto exchange = test.complete("", R"(["a","b"])");
  test.backend.answer_prompt(fail(ErrorCode::invalid, "no such role", "messages"));
  EXPECT_EQ(exchange->response.status, 400);
  test.backend.answer_prompt(kTokens);
  EXPECT_EQ(exchange->replies, 1);
  EXPECT_TRUE(test.backend.specs.empty());
}

TEST(Answer, WhenOneGenerationCannotStartTheOthersAreCancelled) {
  ApiTest test;
  test.backend.start_error = Error{ErrorCode::overloaded, "full", ""};
  test.backend.start_error_from = 2;
  const auto exchange = test.chat(R"(,"n":3,"stream":true)");
  test.backend.answer_prompt(kTokens);
  EXPECT_EQ(exchange->response.status, 503);
  EXPECT_EQ(test.backend.cancelled, (std::vector<uint64_t>{1, 2}));
}

TEST(Answer, AFailureBeforeAcceptanceHasItsOwnStatus) {
  ApiTest test;
  const auto exchange = test.chat(R"(,"n":2,"stream":true)");
  test.backend.answer_prompt(kTokens);
  test.backend.tell(0, Accepted{});
  test.backend.tell(1, Failed{{ErrorCode::unavailable, "draining", ""}});
  EXPECT_EQ(exchange->response.status, 503);
  EXPECT_FALSE(exchange->stream_begun);
  EXPECT_EQ(test.backend.cancelled, std::vector<uint64_t>{1});
}

TEST(Answer, AFailureBeforeTheFirstWordsHasItsOwnStatusToo) {
  ApiTest test;
  const auto exchange = test.chat(R"(,"stream":true)");
  test.backend.answer_prompt(kTokens);
  test.backend.tell(0, Accepted{});
  test.backend.tell(0, Failed{{ErrorCode::queue_timeout, "no lane", ""}});
  EXPECT_EQ(exchange->response.status, 503);
  EXPECT_TRUE(contains(exchange->response.body, "\"code\":\"queue_timeout\""));
  EXPECT_FALSE(exchange->stream_begun);
}

TEST(Answer, OnceOneHasALaneTheOthersMayWaitOn) {
  ApiTest test;
  test.chat(R"(,"n":2)");
  test.backend.answer_prompt(kTokens);
  for (const size_t i : {0, 1}) test.backend.tell(i, Accepted{});
  EXPECT_TRUE(test.backend.waiting_on.empty());
  test.backend.tell(1, Started{});
  EXPECT_EQ(test.backend.waiting_on, (std::vector<uint64_t>{1, 2}));
  test.backend.tell(0, Started{});
  EXPECT_EQ(test.backend.waiting_on.size(), 2u);
}

TEST(Answer, TheFirstOfItsGenerationsIsRefusedWhereItWouldBeLateAndTheOthersMayWait) {
  ApiTest test;
  test.chat(R"(,"n":3)");
  test.backend.answer_prompt(kTokens);
  ASSERT_EQ(test.backend.specs.size(), 3u);
  EXPECT_TRUE(test.backend.specs[0].refuse_late);
  EXPECT_FALSE(test.backend.specs[1].refuse_late || test.backend.specs[2].refuse_late);
}

TEST(Answer, ARefusalOfTheWorkerTellsWhenToTryAgain) {
  ApiTest test;
  const auto exchange = test.chat(R"(,"timeout":2)");
  test.backend.answer_prompt(kTokens);
  test.backend.tell(0, Failed{{ErrorCode::queue_too_long, "late", "", std::chrono::seconds(7)}});
  EXPECT_EQ(exchange->response.status, 503);
  EXPECT_TRUE(contains(exchange->response.body, "\"code\":\"queue_too_long\""));
  const auto& headers = exchange->response.headers;
  EXPECT_TRUE(std::ranges::any_of(headers, [](const auto& h) { return h.name == "Retry-After" && h.value == "7"; }));
}

TEST(Answer, ATimeCountsFromTheRequestsReceipt) {
  ApiTest test;
  test.chat(R"(,"timeout":2)");
  test.backend.time += 500ms;
  test.backend.answer_prompt(kTokens);
  EXPECT_EQ(test.backend.specs.at(0).time_left, 1500ms);
  test.chat();
  test.backend.answer_prompt(kTokens);
  EXPECT_FALSE(test.backend.specs.at(1).time_left);
}

TEST(Answer, ATimeThatIsOverBeforeAnythingBeganIsAnError) {
  ApiTest test;
  const auto late = test.chat(R"(,"timeout":2)");
  test.backend.time += 2s;
  test.backend.answer_prompt(kTokens);
  EXPECT_EQ(late->response.status, 504);
  EXPECT_TRUE(test.backend.specs.empty());
  const auto unstarted = test.chat(R"(,"timeout":2,"stream":true)");
  test.backend.answer_prompt(kTokens);
  test.backend.tell(0, Accepted{});
  test.backend.tell(0, finished(FinishReason::deadline, {3, 0, 0}));
  EXPECT_EQ(unstarted->response.status, 504);
  for (const auto& entry : test.logged) EXPECT_TRUE(entry.late);
}

TEST(Answer, IsLateWhereItsTimeIsOverAndNotWhereTheWorkerRefusesItForTooShortATime) {
  ApiTest test;
  for (int i = 0; i < 2; ++i) {
    test.chat(R"(,"timeout":2)");
    test.backend.answer_prompt(kTokens);
  }
  test.backend.tell(0, Failed{{ErrorCode::timed_out, "its prompt takes longer", ""}});
  test.backend.time += 2s;
  test.backend.tell(1, Failed{{ErrorCode::timed_out, "the worker was not ready", ""}});
  EXPECT_FALSE(test.logged.at(0).late);
  EXPECT_TRUE(test.logged.at(1).late);
  for (const auto& entry : test.logged) EXPECT_EQ(entry.status, 504);
}

TEST(Answer, ATimeThatIsOverLaterEndsWhatWasSaid) {
  ApiTest test;
  const auto exchange = test.chat(R"(,"timeout":2)");
  test.backend.answer_prompt(kTokens);
  test.backend.tell(0, Accepted{});
  test.backend.tell(0, Started{});
  test.backend.tell(0, words("half"));
  test.backend.tell(0, finished(FinishReason::deadline, {3, 0, 1}));
  EXPECT_EQ(exchange->response.status, 200);
  EXPECT_TRUE(contains(exchange->response.body, "half"));
  EXPECT_TRUE(contains(exchange->response.body, R"("finish_reason":"deadline")"));
  EXPECT_EQ(test.logged.at(0).finish, "deadline");
  EXPECT_TRUE(test.logged.at(0).late);
}

TEST(Answer, AFailureInAStreamIsAnEventAndEndsItWithoutDone) {
  ApiTest test;
  const auto exchange = test.chat(R"(,"n":2,"stream":true)");
  test.backend.answer_prompt(kTokens);
  for (const size_t i : {0, 1}) test.backend.tell(i, Accepted{});
  test.backend.tell(0, words("half"));
  test.backend.tell(0, Failed{{ErrorCode::worker_lost, "it died", ""}});
  EXPECT_TRUE(exchange->stream_ended);
  EXPECT_EQ(exchange->replies, 0);
  EXPECT_TRUE(contains(exchange->streamed, "data: {\"error\":{\"message\":\"it died\""));
  EXPECT_FALSE(contains(exchange->streamed, "[DONE]"));
  EXPECT_EQ(test.backend.cancelled, std::vector<uint64_t>{2});
  EXPECT_EQ(test.logged.at(0).status, 200);
  EXPECT_EQ(test.logged.at(0).error_code, "worker_lost");
}

TEST(Answer, AFailureAfterAcceptanceWithoutAStreamHasItsStatus) {
  ApiTest test;
  const auto exchange = test.chat();
  test.backend.answer_prompt(kTokens);
  test.backend.tell(0, Accepted{});
  test.backend.tell(0, words("half"));
  test.backend.tell(0, Failed{{ErrorCode::fault, "lost", ""}});
  EXPECT_EQ(exchange->response.status, 500);
  EXPECT_FALSE(contains(exchange->response.body, "half"));
}

TEST(Answer, TheLogKnowsTokensTimesAndFinish) {
  ApiTest test;
  test.chat();
  test.backend.answer_prompt(kTokens);
  test.backend.tell(0, Accepted{});
  test.backend.tell(0, Started{1});
  test.backend.time += 30ms;
  test.backend.tell(0, words("x"));
  test.backend.time += 100ms;
  test.backend.tell(0, finished(FinishReason::length, {3, 1, 11}));
  ASSERT_EQ(test.logged.size(), 1u);
  const auto& entry = test.logged[0];
  EXPECT_EQ(entry.request_id, "r1");
  EXPECT_EQ(entry.method, "POST");
  EXPECT_EQ(entry.route, "/v1/chat/completions");
  EXPECT_EQ(entry.status, 200);
  EXPECT_EQ(entry.model, "tiny");
  EXPECT_EQ(entry.prompt_tokens, 3u);
  EXPECT_EQ(entry.cached_tokens, 1u);
  EXPECT_EQ(entry.completion_tokens, 11u);
  EXPECT_EQ(entry.first_token, 30ms);
  EXPECT_EQ(entry.total, 130ms);
  EXPECT_EQ(entry.queued, 5ms);
  EXPECT_EQ(entry.decode_rate, 100.0);
  EXPECT_EQ(entry.finish, "length");
}

TEST(AnswerState, OnlyTheseStepsAreLegal) {
  using enum AnswerState;
  const std::pair<AnswerState, std::vector<AnswerState>> legal[] = {
      {preparing, {submitted, ended}}, {submitted, {answering, ended}}, {answering, {ended}}, {ended, {}}};
  for (const auto& [from, nexts] : legal) {
    for (int to = 0; to <= static_cast<int>(ended); ++to) {
      const auto next = static_cast<AnswerState>(to);
      const bool wanted = std::find(nexts.begin(), nexts.end(), next) != nexts.end();
      EXPECT_EQ(may_follow(from, next), wanted) << name_of(from) << " to " << name_of(next);
    }
  }
}

}  // namespace
}  // namespace sluice::api
