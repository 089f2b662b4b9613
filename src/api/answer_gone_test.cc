// A client that leaves: everything of its request is cancelled, whatever state it is in, and logged as 499.
#include <gtest/gtest.h>

#include "api/fake_backend.h"

namespace sluice::api {
namespace {

class ClientGone : public testing::TestWithParam<bool> {
 protected:
  std::shared_ptr<FakeExchange> ask() { return test.chat(GetParam() ? R"(,"stream":true,"n":2)" : R"(,"n":2)"); }
  void expect_gone(const FakeExchange& exchange, size_t cancelled) {
    EXPECT_EQ(test.backend.cancelled.size(), cancelled);
    EXPECT_EQ(test.backend.live(), 0u);
    EXPECT_EQ(exchange.replies, 0);
    EXPECT_FALSE(exchange.stream_ended);
    ASSERT_EQ(test.logged.size(), 1u);
    EXPECT_EQ(test.logged[0].status, 499);
    EXPECT_EQ(test.logged[0].error_code, "cancelled");
  }
  ApiTest test;
  const std::vector<Token> tokens{1, 2, 3};
};
INSTANTIATE_TEST_SUITE_P(StreamedOrNot, ClientGone, testing::Bool());

TEST_P(ClientGone, WhileTheCodecWorksNothingIsStarted) {
  const auto exchange = ask();
  exchange->leave();
  test.backend.answer_prompt(tokens);
  EXPECT_TRUE(test.backend.specs.empty());
  expect_gone(*exchange, 0);
}

TEST_P(ClientGone, WhileItsGenerationsWaitBothAreCancelled) {
  const auto exchange = ask();
  test.backend.answer_prompt(tokens);
  test.backend.tell(0, Accepted{});
  exchange->leave();
  expect_gone(*exchange, 2);
}

TEST_P(ClientGone, WhileItIsAnsweredBothAreCancelled) {
  const auto exchange = ask();
  test.backend.answer_prompt(tokens);
  for (const size_t i : {0, 1}) test.backend.tell(i, Accepted{});
  test.backend.tell(1, words("x", 4));
  exchange->leave();
  expect_gone(*exchange, 2);
  EXPECT_EQ(test.logged[0].completion_tokens, 4u);
}

TEST_P(ClientGone, AfterOneAnswerIsWholeTheOtherIsCancelled) {
  const auto exchange = ask();
  test.backend.answer_prompt(tokens);
  for (const size_t i : {0, 1}) test.backend.tell(i, Accepted{});
  test.backend.tell(0, finished(FinishReason::stop, {3, 0, 1}));
  exchange->leave();
  expect_gone(*exchange, 1);
}

TEST_P(ClientGone, AfterTheAnswerNothingHappens) {
  const auto exchange = ask();
  test.backend.answer_prompt(tokens);
  for (const size_t i : {0, 1}) test.backend.tell(i, Accepted{});
  for (const size_t i : {0, 1}) test.backend.tell(i, finished(FinishReason::stop, {3, 0, 1}));
  exchange->leave();
  EXPECT_TRUE(test.backend.cancelled.empty());
  ASSERT_EQ(test.logged.size(), 1u);
  EXPECT_EQ(test.logged[0].status, 200);
}

TEST_P(ClientGone, NothingKeepsAnAnswerThatHasEnded) {
  std::weak_ptr<FakeExchange> kept = ask();
  test.backend.answer_prompt(tokens);
  for (const size_t i : {0, 1}) test.backend.tell(i, Accepted{});
  for (const size_t i : {0, 1}) test.backend.tell(i, finished(FinishReason::stop, {3, 0, 1}));
  EXPECT_TRUE(kept.expired());
}

}  // namespace
}  // namespace sluice::api
