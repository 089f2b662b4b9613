#include "supervisor/codec_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <map>
#include <optional>

#include "base/build.h"
#include "supervisor/test_loop.h"

namespace sluice::supervisor {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string text_of(const std::vector<Token>& tokens) { return std::string(tokens.begin(), tokens.end()); }

class CodecClientTest : public testing::Test {
 protected:
  // Back-off is short, and the times that a healthy child must keep are long, so that a slow machine decides nothing.
  CodecClient::Options options_of(const std::string& script) {
    CodecClient::Options options;
    options.executable = programs.path_of(script);
    options.model_path = "/models/m.gguf";
    options.expected_build = build_id();
    options.timing.backoff.min = 1ms;
    options.timing.backoff.max = 2ms;
    return options;
  }
  void start(CodecClient::Options options) {
    client = std::make_unique<CodecClient>(loop.core, std::move(options));
    client->start([this](Result<VocabularyFacts> result) { facts = std::move(result); });
    EXPECT_FALSE(facts) << "called back from within";
  }
  bool start_ready(const std::string& script) {
    start(options_of(script));
    return loop.run_until([this] { return facts.has_value(); }) && facts->has_value();
  }
  void tokenize(const std::string& text) {
    client->tokenize(text, false, false, [this, text](Result<std::vector<Token>> result) {
      order.push_back(text);
      answers.emplace(text, std::move(result));
    });
  }
  bool run_until_answered(size_t count) {
    return loop.run_until([this, count] { return answers.size() >= count; });
  }
  std::string answer_to(const std::string& text) {
    const auto found = answers.find(text);
    if (found == answers.end()) return "(none)";
    return found->second ? text_of(*found->second) : std::string(name_of(found->second.error().code));
  }

  TestLoop loop;
  TestPrograms programs;
  std::unique_ptr<CodecClient> client;
  std::optional<Result<VocabularyFacts>> facts;
  std::map<std::string, Result<std::vector<Token>>> answers;
  std::vector<std::string> order;
};

TEST_F(CodecClientTest, TellsTheVocabularyAndAnswersInOrder) {
  ASSERT_TRUE(start_ready("good"));
  EXPECT_EQ((*facts)->model_name, "test model");
  EXPECT_EQ((*facts)->vocabulary, 256u);
  tokenize("first");
  tokenize("second");
  std::string rendered;
  client->render({{"user", "hi", ""}}, true, [&](auto result) { rendered = text_of(result.value()); });
  ASSERT_TRUE(loop.run_until([&] { return !rendered.empty(); }));
  EXPECT_THAT(order, ElementsAre("first", "second"));
  EXPECT_EQ(answer_to("second"), "second");
  EXPECT_EQ(rendered, "hi");
  EXPECT_GT(client->resident_bytes(), 0u);
}

TEST_F(CodecClientTest, CallsBeforeItIsReadyWaitForIt) {
  start(options_of("good"));
  tokenize("early");
  ASSERT_TRUE(run_until_answered(1));
  EXPECT_EQ(answer_to("early"), "early");
}

TEST_F(CodecClientTest, AFailureIsOfItsCallAlone) {
  ASSERT_TRUE(start_ready("good"));
  tokenize("fail");
  tokenize("fine");
  ASSERT_TRUE(run_until_answered(2));
  EXPECT_EQ(answer_to("fail"), "invalid");
  EXPECT_EQ(answers.at("fail").error().message, "a bad text");
  EXPECT_EQ(answer_to("fine"), "fine");
  EXPECT_EQ(client->counts().deaths, 0u);
}

TEST_F(CodecClientTest, AKilledProcessCostsAPauseAndNoAnswer) {
  ASSERT_TRUE(start_ready("good"));
  const int killed = client->pid();
  ASSERT_TRUE(signal_child(killed, SIGKILL));
  tokenize("one");
  tokenize("two");
  ASSERT_TRUE(run_until_answered(2));
  EXPECT_EQ(answer_to("one"), "one");
  EXPECT_EQ(answer_to("two"), "two");
  EXPECT_NE(client->pid(), killed);
  EXPECT_EQ(client->counts().starts, 2u);
  EXPECT_EQ(client->counts().deaths, 1u);
}

TEST_F(CodecClientTest, AStoppedProcessIsReplacedAndTheNextOneAnswers) {
  CodecClient::Options options = options_of("good");
  options.call_max = 3s;
  start(std::move(options));
  ASSERT_TRUE(loop.run_until([this] { return facts.has_value(); }) && facts->has_value());
  ASSERT_TRUE(signal_child(client->pid(), SIGSTOP));
  tokenize("one");
  tokenize("two");
  ASSERT_TRUE(run_until_answered(2));
  EXPECT_EQ(answer_to("one"), "one");
  EXPECT_EQ(answer_to("two"), "two");
  EXPECT_EQ(client->counts().deaths, 1u);
}

TEST_F(CodecClientTest, ACallThatKillsTwoProcessesFailsAndItsNeighboursAreAnswered) {
  ASSERT_TRUE(start_ready("good"));
  tokenize("before");
  tokenize("die");
  tokenize("after");
  ASSERT_TRUE(run_until_answered(3));
  EXPECT_EQ(answer_to("before"), "before");
  EXPECT_EQ(answer_to("die"), "worker_lost");
  EXPECT_THAT(answers.at("die").error().message, HasSubstr("was killed by signal 6"));
  EXPECT_THAT(answers.at("die").error().message, Not(HasSubstr("dies of a call"))) << "stderr is for the log";
  EXPECT_EQ(answer_to("after"), "after");
  EXPECT_EQ(client->counts().deaths, 2u);
}

TEST_F(CodecClientTest, ACallThatTwoProcessesDoNotAnswerInTimeFails) {
  CodecClient::Options options = options_of("good");
  options.call_max = 20ms;
  start(std::move(options));
  tokenize("hang");
  ASSERT_TRUE(run_until_answered(1));
  EXPECT_EQ(answer_to("hang"), "worker_lost");
  EXPECT_THAT(answers.at("hang").error().message, HasSubstr("did not prepare a prompt within 0.02 s"));
}

TEST_F(CodecClientTest, ACallWhoseProcessDiesOfItOnceIsAnsweredByTheNext) {
  ASSERT_TRUE(start_ready("good"));
  tokenize("die-first");
  ASSERT_TRUE(run_until_answered(1));
  EXPECT_EQ(answer_to("die-first"), "die-first");
}

TEST_F(CodecClientTest, AnswersToNothingThatWasAskedReplaceIt) {
  for (const char* text : {"other-call-first", "outside-first"}) {
    TestPrograms own;
    CodecClient::Options options = options_of("good");
    options.executable = own.path_of("good");
    facts.reset();
    start(std::move(options));
    tokenize(text);
    ASSERT_TRUE(loop.run_until([&] { return answers.contains(text); }));
    EXPECT_EQ(answer_to(text), text);
    EXPECT_EQ(client->counts().deaths, 1u);
  }
}

TEST_F(CodecClientTest, GarbageOversizedAndHalfFramesReplaceIt) {
  for (const char* script : {"garbage-first", "oversized-first", "half-frame-first"}) {
    facts.reset();
    ASSERT_TRUE(start_ready(script)) << script;
    EXPECT_EQ(client->counts().starts, 2u);
    EXPECT_EQ(client->counts().deaths, 1u);
  }
}

TEST_F(CodecClientTest, AVocabularyThatCannotBeOpenedIsNotTriedAgain) {
  start(options_of("open-fails"));
  tokenize("early");
  ASSERT_TRUE(loop.run_until([this] { return facts.has_value() && answers.size() == 1; }));
  ASSERT_FALSE(facts->has_value());
  EXPECT_EQ(facts->error().message, "no model at /models/m.gguf");
  EXPECT_EQ(answer_to("early"), "invalid");
  tokenize("late");
  ASSERT_TRUE(run_until_answered(2));
  EXPECT_EQ(answer_to("late"), "invalid");
  EXPECT_EQ(client->counts().starts, 1u);
  EXPECT_EQ(client->pid(), 0);
}

TEST_F(CodecClientTest, AVocabularyThatWasOpenedOnceIsTriedAgain) {
  ASSERT_TRUE(start_ready("open-fails-second"));
  ASSERT_TRUE(signal_child(client->pid(), SIGKILL));
  tokenize("one");
  ASSERT_TRUE(run_until_answered(1));
  EXPECT_EQ(answer_to("one"), "one");
  EXPECT_EQ(client->counts().starts, 3u);
}

TEST_F(CodecClientTest, AnotherBuildIsRefusedInWordsAndNotTriedAgain) {
  for (const char* script : {"wrong-version", "wrong-build", "wrong-role"}) {
    facts.reset();
    start(options_of(script));
    ASSERT_TRUE(loop.run_until([this] { return facts.has_value(); }));
    ASSERT_FALSE(facts->has_value());
    EXPECT_EQ(facts->error().code, ErrorCode::protocol) << script;
    EXPECT_EQ(client->counts().starts, 1u);
  }
}

TEST_F(CodecClientTest, OneThatIsNeverReadyIsGivenUp) {
  for (const char* script : {"exit-at-once", "garbage", "no-vocabulary"}) {
    facts.reset();
    start(options_of(script));
    ASSERT_TRUE(loop.run_until([this] { return facts.has_value(); })) << script;
    EXPECT_FALSE(facts->has_value());
    EXPECT_EQ(client->counts().starts, static_cast<uint64_t>(limits::first_start_deaths_max));
  }
}

TEST_F(CodecClientTest, WaitingForAProcessIsBounded) {
  CodecClient::Options options = options_of("never-hello");
  options.wait_max = 10ms;
  start(std::move(options));
  tokenize("one");
  tokenize("two");
  ASSERT_TRUE(run_until_answered(2));
  EXPECT_EQ(answer_to("one"), "unavailable");
  EXPECT_EQ(answer_to("two"), "unavailable");
}

TEST_F(CodecClientTest, StopAnswersWhatIsOutstandingAndNeverFromWithin) {
  ASSERT_TRUE(start_ready("good"));
  const int pid = client->pid();
  tokenize("one");
  client->stop();
  EXPECT_TRUE(is_gone(pid));
  EXPECT_TRUE(answers.empty());
  tokenize("two");
  ASSERT_TRUE(run_until_answered(2));
  EXPECT_EQ(answer_to("one"), "unavailable");
  EXPECT_EQ(answer_to("two"), "unavailable");
  EXPECT_EQ(client->counts().deaths, 0u);
}

TEST_F(CodecClientTest, ItsEndKillsTheProcessAndSilencesItsCalls) {
  ASSERT_TRUE(start_ready("good"));
  const int pid = client->pid();
  tokenize("one");
  client.reset();
  EXPECT_TRUE(is_gone(pid));
  loop.settle();
  EXPECT_TRUE(answers.empty());
}

TEST_F(CodecClientTest, ItMayEndInACallback) {
  ASSERT_TRUE(start_ready("good"));
  bool told = false;
  client->tokenize("one", false, false, [&](auto) {
    client.reset();
    told = true;
  });
  tokenize("two");
  EXPECT_TRUE(loop.run_until([&] { return told; }));
  loop.settle();
  EXPECT_TRUE(answers.empty());
}

TEST_F(CodecClientTest, MoreCallsThanTheLimitAreRefusedAndTheOthersAnswered) {
  start(options_of("good"));
  for (size_t i = 0; i <= limits::codec_calls_max; ++i) tokenize(std::to_string(i));
  ASSERT_TRUE(run_until_answered(limits::codec_calls_max + 1));
  EXPECT_EQ(answer_to(std::to_string(limits::codec_calls_max)), "overloaded");
  EXPECT_EQ(answer_to("0"), "0");
  const std::string last = std::to_string(limits::codec_calls_max - 1);
  EXPECT_EQ(answer_to(last), last);
}

}  // namespace
}  // namespace sluice::supervisor
