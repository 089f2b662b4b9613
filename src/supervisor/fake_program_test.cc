// Both clients with the real worker program of the fake adapter.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <optional>

#include "supervisor/codec_client.h"
#include "supervisor/worker_test_fixture.h"

namespace sluice::supervisor {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::StartsWith;

class FakeProgramTest : public WorkerTest {
 protected:
  std::string model(const std::string& text) {
    const std::string path = programs.path_of("model.txt");
    std::filesystem::remove(path);
    std::ofstream(path) << text;
    return path;
  }
  WorkerClient::Options worker_options(const std::string& model_text) {
    WorkerClient::Options options = options_of("unused");
    options.executable = SLUICE_WORKER_FAKE;
    options.load.model_path = model(model_text);
    options.load.chunk_time = limits::chunk_time_default;
    return options;
  }
  bool start_worker(const std::string& model_text) {
    start(worker_options(model_text));
    return run_until_state("ready");
  }
  void submit_text(uint64_t id, uint32_t max_tokens) {
    GenerationSpec spec;
    spec.prompt = {'h', 'e', 'l', 'l', 'o'};
    spec.max_tokens = max_tokens;
    spec.ignore_eos = true;
    client->submit(GenerationId{id}, spec);
  }
  void start_codec(const std::string& model_text, Duration call_max = limits::codec_call_time_max) {
    CodecClient::Options options;
    options.executable = SLUICE_WORKER_FAKE;
    options.model_path = model(model_text);
    options.expected_build = build_id();
    options.call_max = call_max;
    options.timing.backoff.min = 1ms;
    codec = std::make_unique<CodecClient>(loop.core, std::move(options));
    codec->start([this](auto result) { facts = std::move(result); });
  }
  Result<std::vector<Token>> tokenize(const std::string& text) {
    std::optional<Result<std::vector<Token>>> answer;
    codec->tokenize(text, false, false, [&](auto result) { answer = std::move(result); });
    if (!loop.run_until([&] { return answer.has_value(); })) return fail(ErrorCode::timed_out, "no answer");
    return *answer;
  }

  std::unique_ptr<CodecClient> codec;
  std::optional<Result<VocabularyFacts>> facts;
};

TEST_F(FakeProgramTest, AWorkerLoadsAnswersAndDrains) {
  ASSERT_TRUE(start_worker("name = tiny\n"));
  EXPECT_EQ(client->report().lanes, 4u);
  EXPECT_FALSE(client->report().capabilities.empty());
  EXPECT_THAT(client->report().runtime_version, StartsWith("fake "));
  submit_text(1, 20);
  submit_text(2, 20);
  ASSERT_TRUE(run_until_told(1, "finished") && run_until_told(2, "finished"));
  EXPECT_GT(client->report().steps, 0u);
  EXPECT_GT(client->report().stats.rows_prefill(), 0u);
  client->drain();
  ASSERT_TRUE(run_until_state("stopped"));
  EXPECT_EQ(client->counts().deaths, 0u);
}

TEST_F(FakeProgramTest, AKilledWorkerComesBackAndAnswers) {
  ASSERT_TRUE(start_worker("call_us = 1000\n"));
  submit_text(1, 400);
  ASSERT_TRUE(run_until_told(1, "started"));
  ASSERT_TRUE(signal_child(client->pid(), SIGKILL));
  ASSERT_TRUE(run_until_state("ready", 2));
  EXPECT_THAT(deaths.at(0).message, StartsWith("the worker process was killed by signal 9"));
  submit_text(2, 5);
  EXPECT_TRUE(run_until_told(2, "finished"));
}

TEST_F(FakeProgramTest, ACrashInAStepIsToldAndTheWorkerReplaced) {
  for (const char* fault : {"crash", "fatal"}) {
    states.clear();
    deaths.clear();
    ASSERT_TRUE(start_worker(std::string("fault = ") + fault + " after 3 calls\n")) << fault;
    submit_text(1, 100);
    ASSERT_TRUE(run_until_state("ready", 2)) << fault;
    EXPECT_EQ(deaths.size(), 1u);
  }
}

TEST_F(FakeProgramTest, AStepThatHangsOrFreezesReplacesTheWorker) {
  for (const char* fault : {"hang", "freeze"}) {
    states.clear();
    deaths.clear();
    WorkerClient::Options options = worker_options(std::string("fault = ") + fault + " after 3 calls\n");
    options.liveness.ping_interval = 100ms;
    options.liveness.hung_step_min = 1s;
    start(std::move(options));
    ASSERT_TRUE(run_until_state("ready"));
    submit_text(1, 100);
    ASSERT_TRUE(run_until_state("ready", 2)) << fault;
    EXPECT_THAT(deaths.at(0).message, StartsWith("the worker process hangs: its step has run for"));
  }
}

TEST_F(FakeProgramTest, AModelThatCannotLoadSaysWhy) {
  start(worker_options("load_error = no weights here\n"));
  ASSERT_TRUE(run_until_state("failed"));
  EXPECT_THAT(client->load_error().message, HasSubstr("no weights here"));
}

TEST_F(FakeProgramTest, ACodecTokenizesAndRenders) {
  start_codec("name = tiny\n");
  EXPECT_THAT(tokenize("hi").value(), testing::ElementsAre('h', 'i'));
  EXPECT_EQ((*facts)->model_name, "tiny");
  std::optional<Result<std::vector<Token>>> rendered;
  codec->render({{"user", "hi", ""}}, true, [&](auto result) { rendered = std::move(result); });
  ASSERT_TRUE(loop.run_until([&] { return rendered.has_value(); }));
  EXPECT_GT(rendered->value().size(), 2u);
}

TEST_F(FakeProgramTest, ATextThatBreaksTheCodecFailsAlone) {
  for (const char* fault : {"crash", "hang"}) {
    start_codec(std::string("codec_fault = ") + fault + " on BOOM\n", 1s);
    EXPECT_EQ(tokenize("a BOOM b").error().code, ErrorCode::worker_lost) << fault;
    EXPECT_TRUE(tokenize("fine")) << fault;
    EXPECT_EQ(codec->counts().deaths, 2u) << fault;
  }
}

TEST_F(FakeProgramTest, AStoppedCodecIsReplaced) {
  start_codec("name = tiny\n", 3s);
  ASSERT_TRUE(tokenize("warm"));
  ASSERT_TRUE(signal_child(codec->pid(), SIGSTOP));
  EXPECT_TRUE(tokenize("fine"));
  EXPECT_EQ(codec->counts().deaths, 1u);
}

TEST_F(FakeProgramTest, AVocabularyThatCannotBeOpenedSaysWhy) {
  start_codec("codec_error = no vocabulary here\n");
  EXPECT_FALSE(tokenize("x"));
  ASSERT_TRUE(facts.has_value() && !facts->has_value());
  EXPECT_THAT(facts->error().message, HasSubstr("no vocabulary here"));
}

}  // namespace
}  // namespace sluice::supervisor
