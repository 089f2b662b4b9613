#include "supervisor/looks.h"

#include <gtest/gtest.h>

#include "supervisor/worker_test_fixture.h"

namespace sluice::supervisor {
namespace {

using namespace std::chrono_literals;

Standing standing_of(uint64_t id) {
  Standing standing;
  standing.generation = GenerationId{id};
  return standing;
}

class LooksTest : public testing::Test {
 protected:
  Looks::Done told() {
    return [this](Looks::Answer answer) { answers.push_back(std::move(answer)); };
  }
  TestLoop loop;
  Looks looks{loop.core, 1h};
  std::vector<Looks::Answer> answers;
};

TEST_F(LooksTest, AnAnswerIsToldOnceToWhoeverAsked) {
  EXPECT_EQ(looks.ask(told()), 1u);
  looks.on_answer(1, {standing_of(7)});
  looks.on_answer(1, {standing_of(8)});
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0]->at(0).generation, GenerationId{7});
  EXPECT_EQ(looks.ask(told()), 2u) << "the next one is asked anew";
}

TEST_F(LooksTest, AnAnswerThatCameTooLateIsNobodys) {
  looks.ask(told());
  looks.give_up();
  looks.ask(told());
  looks.on_answer(1, {standing_of(7)});
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_FALSE(answers[0]);
  looks.on_answer(2, {});
  EXPECT_TRUE(answers.at(1));
}

TEST_F(LooksTest, AWorkerThatSaysNothingIsNotWaitedForLonger) {
  Looks hasty(loop.core, 1ms);
  hasty.ask(told());
  ASSERT_TRUE(loop.run_until([this] { return !answers.empty(); }));
  EXPECT_FALSE(answers[0]);
}

TEST_F(LooksTest, WhoIsToldMayAskAgain) {
  std::optional<uint64_t> again;
  looks.ask([&](const Looks::Answer&) { again = looks.ask(told()); });
  looks.on_answer(1, {});
  EXPECT_EQ(again, 2u);
  EXPECT_TRUE(answers.empty());
}

class AskedWorkerTest : public WorkerTest {
 protected:
  void look() {
    client->look([this](Looks::Answer answer) { answers.push_back(std::move(answer)); });
  }
  bool run_until_answered(size_t times = 1) {
    return loop.run_until([this, times] { return answers.size() >= times; });
  }
  std::vector<Looks::Answer> answers;
};

TEST_F(AskedWorkerTest, TheWorkersWordComesBehindItsFacts) {
  ASSERT_TRUE(start_ready("good"));
  submit(3, 65, 2);
  look();
  EXPECT_TRUE(answers.empty()) << "called back from within";
  ASSERT_TRUE(run_until_answered());
  ASSERT_TRUE(answers[0]);
  EXPECT_EQ(answers[0]->at(0).generation, GenerationId{3});
  EXPECT_EQ(std::ranges::count(told, std::pair(uint64_t{3}, std::string("accepted"))), 1);
}

TEST_F(AskedWorkerTest, AWorkerThatDoesNotAnswerIsNotWaitedForAndLivesOn) {
  WorkerClient::Options options = options_of("deaf-to-look");
  options.look_max = 1ms;
  start(std::move(options));
  ASSERT_TRUE(run_until_state("ready"));
  look();
  ASSERT_TRUE(run_until_answered());
  EXPECT_FALSE(answers[0]);
  EXPECT_EQ(client->state(), WorkerState::ready);
}

TEST_F(AskedWorkerTest, OneThatDiesMeanwhileSaysNothing) {
  WorkerClient::Options options = options_of("deaf-to-look");
  options.look_max = 1h;
  start(std::move(options));
  ASSERT_TRUE(run_until_state("ready"));
  look();
  ASSERT_TRUE(signal_child(client->pid(), SIGKILL));
  ASSERT_TRUE(run_until_answered());
  EXPECT_FALSE(answers[0]);
}

TEST_F(AskedWorkerTest, WithoutAWorkerNothingIsKnown) {
  client = std::make_unique<WorkerClient>(loop.core, options_of("good"), events());
  look();
  EXPECT_TRUE(answers.empty()) << "called back from within";
  ASSERT_TRUE(run_until_answered());
  EXPECT_FALSE(answers[0]);
}

TEST_F(AskedWorkerTest, AStandingThatCannotBeIsGarbage) {
  ASSERT_TRUE(start_ready("garbage-on-look"));
  look();
  ASSERT_TRUE(run_until_state("lost"));
  EXPECT_NE(deaths.at(0).message.find("sent garbage: Standing: is unknown"), std::string::npos) << deaths[0].message;
  EXPECT_TRUE(run_until_answered());
}

}  // namespace
}  // namespace sluice::supervisor
