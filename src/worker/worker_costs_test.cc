// What a worker says of what it learned, and where the next one begins.
#include "worker/exit_codes.h"
#include "worker/test_daemon.h"

namespace sluice::worker {
namespace {

using namespace std::chrono_literals;

// Its calls take some time, so that there is something to learn.
TestModel slow_model() {
  return {.wait = [](Duration) {
    for (const TimePoint end = Clock::now() + 200us; Clock::now() < end;) {
    }
  }};
}

void start(TestDaemon& daemon, const Costs& costs = {}) {
  daemon.read_hello();
  daemon.load(4, 512, false, costs);
  proto::FromWorker message = daemon.read();
  while (message.has_loading()) message = daemon.read();
  ASSERT_TRUE(message.has_ready());
}

// The costs in the frames of one answer.
std::vector<Costs> costs_of_answer(TestDaemon& daemon, uint64_t id) {
  std::vector<Costs> said;
  daemon.submit(id, spec_of("a prompt>", 8));
  while (!daemon.answers()[id].ended() && !testing::Test::HasFailure()) {
    const proto::Events events = daemon.take_events();
    if (events.has_costs()) said.push_back(proto::from_message(events.costs()).value());
  }
  return said;
}

TEST(WorkerCosts, ItSaysWhatItLearnedWhenItsLastAnswerHasEnded) {
  TestDaemon daemon(slow_model());
  start(daemon);
  for (const uint64_t id : {1, 2}) {
    const std::vector<Costs> said = costs_of_answer(daemon, id);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_GE(said[0].prefill_rows, 9u);
    EXPECT_GE(said[0].prefill.samples, id);
  }
}

TEST(WorkerCosts, ItGoesOnFromWhatItIsTold) {
  Costs told;
  TestDaemon first(slow_model());
  start(first);
  told = costs_of_answer(first, 1).at(0);
  told.prefill_rows = 100;
  TestDaemon next(slow_model());
  start(next, told);
  EXPECT_EQ(costs_of_answer(next, 1).at(0).prefill_rows, 100u);
}

TEST(WorkerCosts, WithoutWorkThereIsNothingToSay) {
  TestDaemon daemon(slow_model());
  start(daemon, {{}, {}, 100, {}, {}, {}});
  GenerationSpec over = spec_of("too late>", 8);
  over.time_left = 1us;
  daemon.submit(1, over);
  while (!daemon.answers()[1].ended() && !testing::Test::HasFailure())
    EXPECT_FALSE(daemon.read_events().has_costs()) << "of a generation that had no lane";
}

TEST(WorkerCosts, CostsThatCannotBeAreAProtocolError) {
  TestDaemon daemon;
  daemon.read_hello();
  daemon.load(4, 512, false, {{-1, 0, 0, 1}, {}, 0, {}, {}, {}});
  EXPECT_EQ(daemon.exit_code(), kExitProtocol);
}

}  // namespace
}  // namespace sluice::worker
