// A worker that says what it learned, and its successors: they are told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "supervisor/worker_test_fixture.h"

namespace sluice::supervisor {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A test's costs are told apart by their rows.
class WorkerCostsTest : public WorkerTest {
 protected:
  bool start_knowing(const std::string& script, uint32_t rows) {
    auto options = options_of(script);
    options.load.costs.prefill_rows = rows;
    start(std::move(options));
    return run_until_state("ready");
  }
  bool replace(int times_ready) {
    return signal_child(client->pid(), SIGKILL) && run_until_state("ready", times_ready);
  }
  bool learn(uint64_t id, Token rows) {
    submit(id, rows, 1);
    return run_until_told(id, "finished");
  }
  std::vector<std::string> loads() const {
    std::vector<std::string> told_loads;
    for (const auto& line : lines)
      if (line.starts_with("load ")) told_loads.push_back(line);
    return told_loads;
  }
};

TEST_F(WorkerCostsTest, ItsOwnerIsToldWhatWasLearned) {
  ASSERT_TRUE(start_knowing("learns", 0));
  EXPECT_THAT(learned, IsEmpty());
  ASSERT_TRUE(learn(1, 65) && learn(2, 66));
  ASSERT_EQ(learned.size(), 2u);
  EXPECT_EQ(learned[0].prefill_rows, 65u);
  EXPECT_EQ(learned[1].prefill_rows, 66u);
  EXPECT_EQ(learned[1].decode, (CallCosts{0, 5000, 0, 1}));
}

TEST_F(WorkerCostsTest, TheNextProcessIsToldWhatTheLastOneSaid) {
  ASSERT_TRUE(start_knowing("learns", 64));
  ASSERT_TRUE(learn(1, 65) && learn(2, 66));
  ASSERT_TRUE(replace(2));
  ASSERT_TRUE(run_until_line("load rows 66"));
  EXPECT_THAT(loads(), ElementsAre("load rows 64", "load rows 66"));
}

TEST_F(WorkerCostsTest, AfterOneThatDiedWithoutAWordTheNextStartsAnew) {
  ASSERT_TRUE(start_knowing("learns", 64));
  ASSERT_TRUE(replace(2));
  ASSERT_TRUE(run_until_line("load rows 0"));
  ASSERT_TRUE(learn(1, 65));
  ASSERT_TRUE(replace(3) && replace(4));
  ASSERT_TRUE(loop.run_until([&] { return loads().size() == 4; }));
  EXPECT_THAT(loads(), ElementsAre("load rows 64", "load rows 0", "load rows 65", "load rows 0"));
}

TEST_F(WorkerCostsTest, CostsThatCannotBeEndTheProcessAndAreNotTakenOver) {
  ASSERT_TRUE(start_knowing("learns-nonsense", 0));
  submit(1, 65, 1);
  ASSERT_TRUE(run_until_state("ready", 2));
  EXPECT_THAT(learned, IsEmpty());
  EXPECT_THAT(deaths.at(0).message, testing::HasSubstr("sent garbage: costs that no machine has"));
  ASSERT_TRUE(loop.run_until([&] { return loads().size() == 2; }));
  EXPECT_THAT(loads(), ElementsAre("load rows 0", "load rows 0"));
}

}  // namespace
}  // namespace sluice::supervisor
