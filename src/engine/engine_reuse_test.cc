// What an ended generation leaves behind, and who gets it.
#include <gtest/gtest.h>

#include "engine/engine_rig.h"

namespace sluice::engine {
namespace {

std::vector<Token> conversation(Rig& rig, uint64_t id, std::vector<Token> prompt, size_t more) {
  const auto& answer = rig.told(id).answer;
  prompt.insert(prompt.end(), answer.begin(), answer.end());
  for (size_t i = 0; i < more; ++i) prompt.push_back(static_cast<Token>(500 + i));
  return prompt;
}

TEST(EngineReuse, TheNextTurnOfAConversationComputesOnlyWhatIsAdded) {
  Rig rig;
  rig.run(1, asking(tokens(1, 50), 10));
  const uint64_t before = rig.runtime.rows_fed();
  rig.run(2, asking(conversation(rig, 1, tokens(1, 50), 5), 1));
  EXPECT_EQ(rig.told(2).started_with, 59u);
  EXPECT_EQ(rig.told(2).finished->usage.cached_tokens, 59u);
  EXPECT_EQ(rig.told(2).finished->usage.prompt_tokens, 65u);
  EXPECT_EQ(rig.runtime.rows_fed() - before, 6u);
  EXPECT_EQ(rig.engine.stats().tokens_cached, 59u);
}

TEST(EngineReuse, ASharedBeginningIsKeptAndTheRestIsCutOff) {
  Rig rig;
  rig.run(1, asking(tokens(1, 50), 1));
  std::vector<Token> other = tokens(1, 30);
  other.resize(60, 900);
  rig.must_submit(2, asking(other, 1));
  const StepSeen s = rig.step();
  ASSERT_EQ(s.moves.size(), 1u);
  EXPECT_EQ(std::get<TruncateKv>(s.moves[0]).upto, 30);
  EXPECT_EQ(s.calls[0].feeds, (std::vector<FeedSeen>{{2, 0, 30, 30, true}}));
}

TEST(EngineReuse, AForeignSequenceIsDroppedBeforeItIsUsed) {
  EngineConfig config = small_config();
  config.lanes = 1;
  Rig rig(config);
  rig.run(1, asking(tokens(1, 50), 1));
  rig.must_submit(2, asking(tokens(300, 20), 1));
  const StepSeen s = rig.step();
  ASSERT_EQ(s.moves.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<DropKv>(s.moves[0]));
  EXPECT_EQ(rig.told(2).started_with, 0u);
}

TEST(EngineReuse, ACancelledGenerationsKvIsReused) {
  Rig rig;
  rig.must_submit(1, asking(tokens(1, 50), 100));
  for (int i = 0; i < 5; ++i) rig.step();
  rig.cancel(1);
  rig.run(2, asking(tokens(1, 50), 1));
  EXPECT_EQ(rig.told(2).started_with, 48u);
}

TEST(EngineReuse, WithoutTruncationASequenceIsTakenOverOnlyAsAWhole) {
  EngineConfig config = small_config();
  config.can_truncate = false;
  Rig rig(config);
  rig.run(1, asking(tokens(1, 50), 10));
  rig.run(2, asking(tokens(1, 50), 10));
  EXPECT_EQ(rig.told(2).started_with, 0u);
  rig.run(3, asking(conversation(rig, 1, tokens(1, 50), 5), 1));
  EXPECT_EQ(rig.told(3).started_with, 59u);
}

TEST(EngineReuse, ConversationsInTurnKeepTheirSequencesWhileThereAreEnough) {
  Rig rig;  // 4 lanes
  std::vector<std::vector<Token>> prompts;
  for (Token i = 0; i < 4; ++i) prompts.push_back(tokens(i * 100, 40));
  uint64_t id = 0;
  for (int turn = 0; turn < 3; ++turn) {
    for (auto& prompt : prompts) {
      rig.run(++id, asking(prompt, 5));
      EXPECT_EQ(rig.told(id).started_with, turn == 0 ? 0 : prompt.size() - 4);
      prompt = conversation(rig, id, prompt, 3);
    }
  }
}

TEST(EngineReuse, OneOfTwoThatShareAPromptAtOnceGetsTheCachedSequence) {
  Rig rig;
  rig.run(1, asking(tokens(1, 50), 1));
  rig.must_submit(2, asking(tokens(1, 60), 3));
  rig.must_submit(3, asking(tokens(1, 60), 3));
  rig.run_until_idle();
  EXPECT_EQ(rig.told(2).started_with, 50u);
  EXPECT_EQ(rig.told(3).started_with, 0u);
  EXPECT_EQ(rig.told(2).answer, rig.told(3).answer);
}

}  // namespace
}  // namespace sluice::engine
