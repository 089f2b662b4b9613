// What an answer consists of: order of facts, text, stop strings, logprobs, usage, timings.
#include "worker/test_daemon.h"

namespace sluice::worker {
namespace {

TEST(WorkerAnswer, ComesAcceptedStartedOutputFinished) {
  TestDaemon daemon({.says = "Hello, world"});
  daemon.load_and_wait();
  daemon.submit(1, spec_of("say>", 50));
  const proto::Events first = daemon.read_events();
  EXPECT_EQ(first.step(), 0u);
  ASSERT_EQ(first.events_size(), 1);
  EXPECT_TRUE(first.events(0).accepted());
  EXPECT_FALSE(first.events(0).has_started());
  const proto::Events second = daemon.read_events();
  EXPECT_EQ(second.step(), 1u);
  EXPECT_TRUE(second.events(0).has_started());
  const Answer answer = daemon.read_answers({1})[1];
  EXPECT_EQ(answer.text, "Hello, world");
  ASSERT_TRUE(answer.finished);
  EXPECT_EQ(answer.finished->reason, FinishReason::stop);
  EXPECT_EQ(answer.finished->stop_string, "");
  EXPECT_EQ(answer.finished->usage.prompt_tokens, 4u);
  EXPECT_EQ(answer.tokens.back(), kTestEnd);
}

TEST(WorkerAnswer, StepsAreNumberedFromOneWithoutGaps) {
  TestDaemon daemon({.says = "12345678"});
  daemon.load_and_wait();
  daemon.submit(1, spec_of("count>", 50));
  EXPECT_EQ(daemon.read_events().step(), 0u);
  for (uint64_t step = 1; !daemon.answers()[1].ended(); ++step) ASSERT_EQ(daemon.read_events().step(), step);
}

TEST(WorkerAnswer, EndsAtItsLengthWithThatManyTokens) {
  TestDaemon daemon({.says = "Hello, world"});
  daemon.load_and_wait();
  const Answer answer = daemon.answer(1, spec_of("say>", 5));
  EXPECT_EQ(answer.text, "Hello");
  EXPECT_EQ(answer.finished->reason, FinishReason::length);
  EXPECT_EQ(answer.finished->usage.completion_tokens, 5u);
}

TEST(WorkerAnswer, StopStringAcrossTokensIsNeverSeen) {
  TestDaemon daemon({.says = "one two three"});
  daemon.load_and_wait();
  GenerationSpec spec = spec_of("say>", 50);
  spec.stop = {"two"};
  daemon.submit(1, spec);
  const Answer answer = daemon.read_answers({1})[1];
  EXPECT_EQ(answer.text, "one ");
  EXPECT_EQ(answer.finished->reason, FinishReason::stop);
  EXPECT_EQ(answer.finished->stop_string, "two");
  EXPECT_EQ(answer.finished->usage.completion_tokens, 7u);
}

TEST(WorkerAnswer, AStopStringCompletedByTheLastTokenGoesBeforeLength) {
  TestDaemon daemon({.says = "one two three"});
  daemon.load_and_wait();
  GenerationSpec spec = spec_of("say>", 7);
  spec.stop = {"two"};
  const Answer answer = daemon.answer(1, spec);
  EXPECT_EQ(answer.text, "one ");
  EXPECT_EQ(answer.finished->reason, FinishReason::stop);
  EXPECT_EQ(answer.finished->stop_string, "two");
}

TEST(WorkerAnswer, TextHeldForAStopStringIsReleasedAtTheEnd) {
  TestDaemon daemon({.says = "one tw"});
  daemon.load_and_wait();
  GenerationSpec spec = spec_of("say>", 50);
  spec.stop = {"two"};
  const Answer answer = daemon.answer(1, spec);
  EXPECT_EQ(answer.text, "one tw");
  EXPECT_EQ(answer.finished->stop_string, "");
}

TEST(WorkerAnswer, CharactersOfSeveralTokensComeWhole) {
  const std::string said = "caf\xc3\xa9 \xe6\xbc\xa2 \xf0\x9f\x98\x80";
  TestDaemon daemon({.says = said});
  daemon.load_and_wait();
  daemon.submit(1, spec_of("say>", 50));
  while (!daemon.answers()[1].ended()) {
    const proto::Events events = daemon.read_events();
    for (const auto& event : events.events()) {
      const uint8_t first = event.text().empty() ? 0 : static_cast<uint8_t>(event.text()[0]);
      EXPECT_NE(first & 0xc0, 0x80) << "a piece starts within a character";
    }
  }
  EXPECT_EQ(daemon.answers()[1].text, said);
}

TEST(WorkerAnswer, HasALogprobForEveryTokenWhereAskedFor) {
  TestDaemon daemon({.says = "abc"});
  daemon.load_and_wait();
  GenerationSpec spec = spec_of("say>", 50);
  spec.sampling.top_logprobs = 2;
  const Answer answer = daemon.answer(1, spec);
  ASSERT_EQ(answer.logprobs.size(), answer.tokens.size());
  ASSERT_GE(answer.logprobs.size(), 3u);
  EXPECT_EQ(answer.logprobs[1].bytes, "b");
  EXPECT_GT(answer.logprobs[1].logprob, -0.01f);
  ASSERT_EQ(answer.logprobs[1].top.size(), 2u);
  EXPECT_EQ(answer.logprobs[1].top[0].token, 'b');
  EXPECT_LE(answer.logprobs[1].top[1].logprob, answer.logprobs[1].top[0].logprob);
}

TEST(WorkerAnswer, HasNoLogprobsWhereNotAskedFor) {
  TestDaemon daemon({.says = "abc"});
  daemon.load_and_wait();
  EXPECT_TRUE(daemon.answer(1, spec_of("say>", 50)).logprobs.empty());
}

TEST(WorkerAnswer, TimingsArePlausible) {
  TestDaemon daemon({.says = "abcdef"});
  daemon.load_and_wait();
  const TimePoint begun = Clock::now();
  const Answer answer = daemon.answer(1, spec_of("say>", 50));
  const Timings& timings = answer.finished->timings;
  EXPECT_GE(timings.queued, Duration::zero());
  EXPECT_GT(timings.prefill + timings.decode, Duration::zero());
  EXPECT_LE(timings.queued + timings.prefill + timings.decode, Clock::now() - begun);
}

TEST(WorkerAnswer, APromptTooLongForTheWindowIsRefused) {
  TestDaemon daemon;
  daemon.load_and_wait(4, 256);
  const Answer answer = daemon.answer(1, spec_of(std::string(256, 'x'), 8));
  ASSERT_TRUE(answer.failed);
  EXPECT_FALSE(answer.accepted);
  EXPECT_EQ(answer.failed->code, ErrorCode::context_length);
}

TEST(WorkerAnswer, ATokenOutsideTheVocabularyIsRefused) {
  TestDaemon daemon;
  daemon.load_and_wait();
  GenerationSpec spec = spec_of("hm", 8);
  spec.prompt.push_back(static_cast<Token>(kTestVocabulary));
  EXPECT_EQ(daemon.answer(1, spec).failed->code, ErrorCode::invalid);
}

TEST(WorkerAnswer, BesideOthersHasTheBytesOfTheSameAnswerAlone) {
  std::map<uint64_t, Answer> alone;
  const auto spec = [](uint64_t id) {
    GenerationSpec varied = spec_of("prompt number " + std::to_string(id), 60);
    varied.sampling.temperature = id % 2 ? 1.0f : 0.0f;
    varied.sampling.seed = id;
    varied.ignore_eos = true;
    return varied;
  };
  for (uint64_t id = 1; id <= 6; ++id) {
    TestDaemon daemon;
    daemon.load_and_wait();
    alone[id] = daemon.answer(id, spec(id));
  }
  TestDaemon daemon;
  daemon.load_and_wait();
  for (uint64_t id = 1; id <= 6; ++id) daemon.submit(id, spec(id));
  auto together = daemon.read_answers({1, 2, 3, 4, 5, 6});
  for (uint64_t id = 1; id <= 6; ++id) {
    EXPECT_EQ(together[id].tokens, alone[id].tokens) << id;
    EXPECT_EQ(together[id].text, alone[id].text) << id;
  }
}

TEST(WorkerAnswer, AContinuedConversationComputesOnlyWhatIsNotCached) {
  TestModel model{.says = "0123456789"};
  const auto counters = model.counters;
  TestDaemon daemon(model);
  daemon.load_and_wait();
  const std::string prompt = std::string(100, 'x') + ">";
  const Answer first = daemon.answer(1, spec_of(prompt, 50));
  const uint64_t before = counters->rows;
  const Answer second = daemon.answer(2, spec_of(prompt + first.text + " and>", 50));
  EXPECT_GE(*second.cached_tokens, prompt.size() + first.text.size() - 1);
  EXPECT_EQ(second.finished->usage.cached_tokens, *second.cached_tokens);
  const uint64_t prompt_rows = prompt.size() + first.text.size() + 5 - *second.cached_tokens;
  EXPECT_LE(counters->rows - before, prompt_rows + second.tokens.size());
}

TEST(WorkerAnswer, StatsCountWhatTheRuntimeWasFed) {
  TestModel model{.says = "0123456789"};
  const auto counters = model.counters;
  TestDaemon daemon(model);
  daemon.load_and_wait();
  daemon.submit(1, spec_of("a prompt>", 50));
  proto::Events last;
  while (!daemon.answers()[1].ended()) last = daemon.read_events();
  EXPECT_EQ(last.stats().rows_prefill() + last.stats().rows_decode(), counters->rows);
  EXPECT_EQ(last.stats().calls(), counters->calls);
  EXPECT_EQ(last.stats().passes(), counters->passes);
  EXPECT_EQ(last.stats().lanes_busy(), 0u);
}

}  // namespace
}  // namespace sluice::worker
