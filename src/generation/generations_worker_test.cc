// Generations over a real worker process that is killed under them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "base/build.h"
#include "base/limits.h"
#include "generation/fake_worker_port.h"
#include "supervisor/test_loop.h"
#include "supervisor/worker_client.h"

namespace sluice::generation {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::Not;

class ClientPort final : public WorkerPort {
 public:
  bool ready() const override { return client->state() == supervisor::WorkerState::ready; }
  void submit(GenerationId id, const GenerationSpec& spec) override { client->submit(id, spec); }
  void cancel(GenerationId id) override { client->cancel(id); }
  std::unique_ptr<supervisor::WorkerClient> client;
};

class GenerationsWorkerTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string model = programs.path_of("model.txt");
    std::filesystem::remove(model);
    std::ofstream(model) << "call_us = 2000\n";
    supervisor::WorkerClient::Options options;
    options.executable = SLUICE_WORKER_FAKE;
    options.load.model_path = model;
    options.load.lanes = 2;
    options.load.window = 4096;
    options.load.chunk_time = limits::chunk_time_default;
    options.expected_build = build_id();
    options.timing.backoff.min = 1ms;
    port.client = std::make_unique<supervisor::WorkerClient>(
        loop.core, std::move(options),
        supervisor::WorkerClient::Events{.on_facts = [this](auto facts) { generations.on_facts(std::move(facts)); },
                                         .on_state =
                                             [this](supervisor::WorkerState state) {
                                               if (state == supervisor::WorkerState::ready)
                                                 generations.on_worker_ready(Clock::now());
                                             },
                                         .on_lost = [this](const Error& death) { generations.on_worker_lost(death); },
                                         .on_loading = [](float) {},
                                         .on_costs = [](const Costs&) {}});
    port.client->start();
  }
  GenerationId start(Heard& heard, uint32_t max_tokens) {
    GenerationSpec spec = spec_of({'h', 'i'}, max_tokens);
    spec.ignore_eos = true;
    return generations.start(std::move(spec), Clock::now(), heard.listener()).value();
  }
  bool run_until_heard(const Heard& heard, const std::string& fact) {
    return loop.run_until([&] { return std::ranges::count(heard.facts, fact) > 0; });
  }

  supervisor::TestLoop loop;
  supervisor::TestPrograms programs;
  ClientPort port;
  Generations generations{port, limits::queue_time_default};
};

TEST_F(GenerationsWorkerTest, OneThatCameBeforeTheWorkerIsAnswered) {
  Heard heard;
  start(heard, 10);
  ASSERT_TRUE(run_until_heard(heard, "finished"));
  EXPECT_EQ(generations.totals().completion_tokens, 10u);
  EXPECT_EQ(generations.totals().prompt_tokens, 2u);
}

TEST_F(GenerationsWorkerTest, AKilledWorkerFailsWhatRunsAndTheNextIsAnswered) {
  Heard running, next;
  start(running, 4000);
  ASSERT_TRUE(run_until_heard(running, "started"));
  ASSERT_TRUE(supervisor::signal_child(port.client->pid(), SIGKILL));
  ASSERT_TRUE(run_until_heard(running, "failed:worker_lost"));
  EXPECT_THAT(running.facts, Not(Contains("finished")));
  start(next, 5);
  ASSERT_TRUE(run_until_heard(next, "finished"));
}

TEST_F(GenerationsWorkerTest, ACancelledOneFreesItsLane) {
  Heard first, second, third;
  const GenerationId id = start(first, 4000);
  start(second, 4000);
  ASSERT_TRUE(run_until_heard(first, "started") && run_until_heard(second, "started"));
  start(third, 5);
  generations.cancel(id);
  EXPECT_TRUE(run_until_heard(third, "finished"));
  EXPECT_EQ(generations.counts().running, 1u);
}

}  // namespace
}  // namespace sluice::generation
