#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/limits.h"
#include "base/utf8.h"
#include "proto/convert.h"

namespace sluice::proto {
namespace {

using namespace std::chrono_literals;

Result<std::vector<GenerationFact>> over_the_wire(const GenerationEvent& event) {
  GenerationEvent received;
  EXPECT_TRUE(received.ParseFromString(event.SerializeAsString()));
  return facts_of(received);
}

// The one fact that comes out when `fact` goes in.
template <class Fact>
Fact round_trip(const Fact& fact) {
  GenerationEvent event;
  append(fact, event);
  const auto facts = over_the_wire(event);
  EXPECT_TRUE(facts && facts->size() == 1);
  return std::get<Fact>(facts->at(0));
}

Output full_output() {
  Output output;
  output.tokens = {5, 49151};
  output.text = "né€😀";
  output.logprobs = {{5, -0.5f, "n", {{5, -0.5f, "n"}, {6, -1.5f, "\xC3"}}},
                     {49151, -std::numeric_limits<float>::infinity(), "\xA9", {}}};
  return output;
}

void expect_equal(const Output& a, const Output& b) {
  EXPECT_EQ(a.tokens, b.tokens);
  EXPECT_EQ(a.text, b.text);
  ASSERT_EQ(a.logprobs.size(), b.logprobs.size());
  for (size_t i = 0; i < a.logprobs.size(); ++i) {
    EXPECT_EQ(a.logprobs[i].token, b.logprobs[i].token);
    EXPECT_EQ(a.logprobs[i].logprob, b.logprobs[i].logprob);
    EXPECT_EQ(a.logprobs[i].bytes, b.logprobs[i].bytes);
    ASSERT_EQ(a.logprobs[i].top.size(), b.logprobs[i].top.size());
    for (size_t k = 0; k < a.logprobs[i].top.size(); ++k) {
      EXPECT_EQ(a.logprobs[i].top[k].token, b.logprobs[i].top[k].token);
      EXPECT_EQ(a.logprobs[i].top[k].logprob, b.logprobs[i].top[k].logprob);
      EXPECT_EQ(a.logprobs[i].top[k].bytes, b.logprobs[i].top[k].bytes);
    }
  }
}

TEST(Facts, AcceptedAndStartedRoundTrip) {
  round_trip(Accepted{});
  EXPECT_EQ(round_trip(Started{17}).cached_tokens, 17u);
  EXPECT_EQ(round_trip(Started{0}).cached_tokens, 0u);
}

TEST(Facts, EveryFieldOfOutputRoundTrips) { expect_equal(round_trip(full_output()), full_output()); }

TEST(Facts, EveryFieldOfFinishedRoundTrips) {
  const Finished sent{FinishReason::length, "END", {100, 60, 7}, {1500us, 3s, 2h}};
  const Finished received = round_trip(sent);
  EXPECT_EQ(received.reason, sent.reason);
  EXPECT_EQ(received.stop_string, sent.stop_string);
  EXPECT_EQ(received.usage.prompt_tokens, sent.usage.prompt_tokens);
  EXPECT_EQ(received.usage.cached_tokens, sent.usage.cached_tokens);
  EXPECT_EQ(received.usage.completion_tokens, sent.usage.completion_tokens);
  EXPECT_EQ(received.timings.queued, sent.timings.queued);
  EXPECT_EQ(received.timings.prefill, sent.timings.prefill);
  EXPECT_EQ(received.timings.decode, sent.timings.decode);
}

TEST(Facts, EveryReasonToFinishRoundTrips) {
  for (const FinishReason reason : {FinishReason::stop, FinishReason::length, FinishReason::deadline}) {
    EXPECT_EQ(round_trip(Finished{reason, {}, {}, {}}).reason, reason);
  }
}

TEST(Facts, EveryErrorCodeRoundTripsWithWordsAndField) {
  for (int code = 0; code <= static_cast<int>(kLastErrorCode); ++code) {
    const Error received = round_trip(Failed{{static_cast<ErrorCode>(code), "why", "where", 7s}}).error;
    EXPECT_EQ(static_cast<int>(received.code), code);
    EXPECT_EQ(received.message, "why");
    EXPECT_EQ(received.field, "where");
    EXPECT_EQ(received.retry_after, 7s);
  }
}

TEST(Facts, AnUnknownErrorCodeBecomesProtocolAndKeepsItsWords) {
  for (const uint32_t code : {static_cast<uint32_t>(kLastErrorCode) + 1, 256u, 0xFFFFFFFFu}) {
    Failure failure;
    failure.set_code(code);
    failure.set_message("from the future");
    EXPECT_EQ(from_message(failure).code, ErrorCode::protocol);
    EXPECT_EQ(from_message(failure).message, "from the future");
  }
}

TEST(Facts, AnErrorThatQuotesBrokenBytesCanBeSent) {
  const Failure sent = to_message(Error{ErrorCode::io, "cannot open /models/\xFF.gguf", "\xC3"});
  Failure received;
  ASSERT_TRUE(received.ParseFromString(sent.SerializeAsString()));
  EXPECT_EQ(received.message(), "cannot open /models/\uFFFD.gguf");
  EXPECT_TRUE(is_utf8(received.field()));
}

TEST(Facts, ComeOutInTheirOrder) {
  GenerationEvent event;
  append(Accepted{}, event);
  append(Started{3}, event);
  append(full_output(), event);
  append(Finished{}, event);
  const auto facts = over_the_wire(event);
  ASSERT_TRUE(facts && facts->size() == 4);
  EXPECT_TRUE(std::holds_alternative<Accepted>(facts->at(0)));
  EXPECT_TRUE(std::holds_alternative<Started>(facts->at(1)));
  EXPECT_TRUE(std::holds_alternative<Output>(facts->at(2)));
  EXPECT_TRUE(std::holds_alternative<Finished>(facts->at(3)));
}

TEST(Facts, OutputsOfOneEventAreJoined) {
  GenerationEvent event;
  append(Output{{1}, "a", {}}, event);
  append(Output{{}, "b", {}}, event);
  append(Output{{2, 3}, "", {}}, event);
  const auto facts = over_the_wire(event);
  ASSERT_TRUE(facts && facts->size() == 1);
  expect_equal(std::get<Output>(facts->at(0)), Output{{1, 2, 3}, "ab", {}});
}

TEST(Facts, AnEventThatSaysNothingHasNone) {
  GenerationEvent event;
  event.set_generation(9);
  append(Output{}, event);
  EXPECT_TRUE(facts_of(event)->empty());
}

TEST(FactsDeathTest, AFactAfterTheEndIsOurOwnMistake) {
  GenerationEvent event;
  append(Finished{}, event);
  EXPECT_DEATH(append(Output{{1}, "a", {}}, event), "CHECK failed");
  EXPECT_DEATH(append(Failed{}, event), "CHECK failed");
  EXPECT_DEATH(append(Started{}, event), "CHECK failed");
}

void expect_refused(const GenerationEvent& event, const char* field) {
  const auto facts = over_the_wire(event);
  ASSERT_FALSE(facts) << field;
  EXPECT_EQ(facts.error().code, ErrorCode::protocol);
  EXPECT_EQ(facts.error().field, field);
}

GenerationEvent finished_event() {
  GenerationEvent event;
  append(Finished{FinishReason::stop, "", {10, 5, 1}, {}}, event);
  return event;
}

TEST(Facts, AnEndOutOfRangeIsAProtocolError) {
  GenerationEvent event = finished_event();
  event.mutable_finished()->set_reason(static_cast<GenerationFinished::Reason>(3));
  expect_refused(event, "finished.reason");
  event = finished_event();
  event.mutable_finished()->set_cached_tokens(11);
  expect_refused(event, "finished.cached_tokens");
  event = finished_event();
  event.mutable_finished()->set_queued_us(std::numeric_limits<uint64_t>::max());
  expect_refused(event, "finished.queued_us");
  event = finished_event();
  event.mutable_failed()->set_code(0);
  expect_refused(event, "failed");
}

TEST(Facts, LogprobsOutOfRangeAreAProtocolError) {
  GenerationEvent event;
  append(full_output(), event);
  const GenerationEvent whole = event;
  event.mutable_logprobs()->RemoveLast();
  expect_refused(event, "logprobs");
  event = whole;
  event.mutable_logprobs(0)->set_logprob(std::numeric_limits<float>::quiet_NaN());
  expect_refused(event, "logprobs");
  event = whole;
  event.mutable_logprobs(0)->mutable_top(0)->set_logprob(std::numeric_limits<float>::quiet_NaN());
  expect_refused(event, "logprobs.top");
  event = whole;
  event.mutable_logprobs(0)->mutable_top(0)->add_top();
  expect_refused(event, "logprobs.top");
  event = whole;
  for (size_t i = 0; i < limits::top_logprobs_max; ++i) event.mutable_logprobs(0)->add_top();
  expect_refused(event, "logprobs.top");
}

}  // namespace
}  // namespace sluice::proto
