// Answers do not depend on how a prompt was cut, on neighbours, or on what was taken over.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/engine_rig.h"

namespace sluice::engine {
namespace {

using namespace std::chrono_literals;

EngineConfig width_matters() {
  EngineConfig config = small_config();
  config.decode_equals_prefill = false;
  return config;
}

std::vector<size_t> rows_of_prompt(Rig& rig, uint64_t id) {
  std::vector<size_t> rows;
  while (rig.told(id).answer.empty()) {
    const auto more = rig.step().prefill_rows();
    rows.insert(rows.end(), more.begin(), more.end());
  }
  return rows;
}

TEST(EngineExact, NoPromptOfTwoTokensOrMoreIsFedARowAlone) {
  for (size_t length = 2; length <= 140; ++length) {
    EngineConfig config = small_config();
    config.call_tokens = 64;
    Rig rig(config);
    rig.must_submit(1, asking(tokens(1, length), 1));
    for (const size_t rows : rows_of_prompt(rig, 1)) EXPECT_GE(rows, 2u) << "prompt of " << length;
  }
}

TEST(EngineExact, APromptOfOneTokenIsFedAsOneRow) {
  Rig rig;
  rig.must_submit(1, asking({5}, 2));
  EXPECT_EQ(rows_of_prompt(rig, 1), (std::vector<size_t>{1}));
  rig.run_until_idle();
  EXPECT_TRUE(rig.told(1).finished);
}

TEST(EngineExact, APromptThatIsWhollyCachedRecomputesTwoRows) {
  Rig rig;
  rig.run(1, asking(tokens(1, 20), 1));
  rig.must_submit(2, asking(tokens(1, 20), 1));
  const StepSeen s = rig.step();
  EXPECT_EQ(s.prefill_rows(), (std::vector<size_t>{2}));
  EXPECT_EQ(rig.told(2).started_with, 18u);
  EXPECT_EQ(rig.told(2).answer, rig.told(1).answer);
}

TEST(EngineExact, APromptThatLacksItsLastTokenRecomputesTwoRows) {
  Rig rig;
  rig.run(1, asking(tokens(1, 20), 1));
  rig.must_submit(2, asking(tokens(1, 21), 1));
  EXPECT_EQ(rig.step().prefill_rows(), (std::vector<size_t>{2}));
  EXPECT_EQ(rig.told(2).started_with, 19u);
}

TEST(EngineExact, WhereWidthMattersTheTokensOfAnAnswerAreNotTakenOver) {
  Rig rig(width_matters(), true);
  rig.run(1, asking(tokens(1, 20), 10));
  std::vector<Token> next = tokens(1, 20);
  next.insert(next.end(), rig.told(1).answer.begin(), rig.told(1).answer.end());
  next.push_back(7);
  rig.run(2, asking(next, 10));
  EXPECT_EQ(rig.told(2).started_with, 20u);
  EXPECT_EQ(rig.told(2).answer, ToyRuntime::answer_alone(rig.config, asking(next, 10), true));
}

TEST(EngineExact, WhereWidthDoesNotMatterTheyAre) {
  Rig rig;
  rig.run(1, asking(tokens(1, 20), 10));
  std::vector<Token> next = tokens(1, 20);
  next.insert(next.end(), rig.told(1).answer.begin(), rig.told(1).answer.end());
  next.push_back(7);
  rig.run(2, asking(next, 10));
  EXPECT_EQ(rig.told(2).started_with, 29u);  // the answer's last token was never computed
}

TEST(EngineExact, WhereWidthMattersAnAnswerThatWasLostIsRecomputedRowByRow) {
  Rig rig(width_matters(), true);
  int calls = 0;
  rig.runtime.call_mishap = [&](const PlannedCall&) -> std::optional<Mishap> {
    if (++calls == 6) return Mishap{ErrorCode::cancelled, -1};
    return std::nullopt;
  };
  const GenerationSpec spec = asking(tokens(1, 20), 10);
  rig.run(1, spec);
  EXPECT_GT(calls, 11);
  EXPECT_EQ(rig.told(1).answer, ToyRuntime::answer_alone(rig.config, spec, true));
}

TEST(EngineExact, NeitherNeighboursNorChunksChangeAnAnswer) {
  EngineConfig config = width_matters();
  config.call_tokens = 7;
  Rig rig(config, true);
  std::vector<GenerationSpec> specs;
  for (Token i = 0; i < 12; ++i) specs.push_back(asking(tokens(10 * i, static_cast<size_t>(3 + 5 * i)), 20));
  for (size_t i = 0; i < specs.size(); ++i) rig.must_submit(i + 1, specs[i]);
  rig.run_until_idle();
  for (size_t i = 0; i < specs.size(); ++i) {
    EXPECT_EQ(rig.told(i + 1).answer, ToyRuntime::answer_alone(config, specs[i], true)) << i;
  }
}

TEST(EngineExact, OnlyTheLastKnownRowIsSampled) {
  EngineConfig config = small_config();
  config.call_tokens = 16;
  Rig rig(config);
  rig.must_submit(1, asking(tokens(1, 40), 1));
  std::vector<bool> sampled;
  while (!rig.engine.idle()) {
    for (const CallSeen& call : rig.step().calls) sampled.push_back(call.feeds.front().sample);
  }
  EXPECT_EQ(std::ranges::count(sampled, true), 1);
  EXPECT_TRUE(sampled.back());
}

}  // namespace
}  // namespace sluice::engine
