// Promise 5 on the default model: an answer is the same bytes, alone and among others, and the self-check says so.
#include <gtest/gtest.h>

#include <algorithm>

#include "adapters/llamacpp/llama_codec.h"
#include "adapters/llamacpp/test_model.h"
#include "adapters/llamacpp/test_tiny_model.h"

namespace sluice::llamacpp {
namespace {

struct Answer {
  std::vector<Token> tokens;
  std::vector<float> last_row;
};

class Greedy final : public LogitsSink {
 public:
  explicit Greedy(size_t sequences) : answers(sequences) {}
  void on_logits(SequenceId seq, Position, std::span<const float> row) override {
    auto& answer = answers[static_cast<size_t>(seq.raw)];
    answer.tokens.push_back(static_cast<Token>(std::ranges::max_element(row) - row.begin()));
    answer.last_row.assign(row.begin(), row.end());
  }
  std::vector<Answer> answers;
};

// Prompts one call each, then one call a token for all, as a step loop does.
std::vector<Answer> answer_all(Runtime& runtime, const std::vector<std::vector<Token>>& prompts, size_t tokens = 64) {
  Greedy greedy(prompts.size());
  for (size_t i = 0; i < prompts.size(); ++i) {
    const SequenceId seq{static_cast<int32_t>(i)};
    runtime.drop(seq);
    const Feed feed{seq, prompts[i], 0, LogitsWanted::last};
    EXPECT_TRUE(runtime.step({&feed, 1}, greedy));
  }
  for (size_t token = 1; token < tokens; ++token) {
    std::vector<Token> nexts;
    for (const auto& answer : greedy.answers) nexts.push_back(answer.tokens.back());
    std::vector<Feed> feeds;
    for (size_t i = 0; i < prompts.size(); ++i) {
      const SequenceId seq{static_cast<int32_t>(i)};
      feeds.push_back({seq, std::span(nexts).subspan(i, 1), runtime.computed(seq), LogitsWanted::last});
    }
    EXPECT_TRUE(runtime.step(feeds, greedy));
  }
  return greedy.answers;
}

TEST(LlamaExactness, AGreedyAnswerIsTheSameAloneAndAmongEight) {
  auto opened = open_test_model(test_options());
  ASSERT_TRUE(opened) << opened.error().message;
  auto& runtime = **opened;
  const auto codec = LlamaCodec::open(test_model_path(), test_log());
  ASSERT_TRUE(codec);
  std::vector<std::vector<Token>> prompts;
  for (const std::string topic : {"rivers", "the moon and its craters", "bread", "a very old clock",
                                  "how ants find their way", "snow", "why ships float on salt water", "trains"})
    prompts.push_back(*(*codec)->render(std::vector<ChatMessage>{{"user", "Tell me about " + topic + ".", ""}}, true));
  const auto among = answer_all(runtime, prompts);
  for (size_t i = 0; i < prompts.size(); ++i) {
    const auto alone = answer_all(runtime, {prompts[i]}).front();
    EXPECT_EQ(alone.tokens, among[i].tokens) << i;
    EXPECT_EQ(alone.last_row, among[i].last_row) << i;
  }
}

TEST(LlamaExactness, TheSelfCheckFindsTheDefaultModelExact) {
  const auto opened = open_test_model(test_options());
  ASSERT_TRUE(opened) << opened.error().message;
  const auto& can = (*opened)->capabilities();
  EXPECT_TRUE(can.alone_equals_beside.holds) << can.alone_equals_beside.reason;
  EXPECT_TRUE(can.chunk_equals_chunk.holds) << can.chunk_equals_chunk.reason;
  EXPECT_TRUE(can.decode_equals_prefill.holds) << can.decode_equals_prefill.reason;
  EXPECT_TRUE(can.copied_equals_computed.holds) << can.copied_equals_computed.reason;
  EXPECT_TRUE(can.imported_equals_computed.holds) << can.imported_equals_computed.reason;
  EXPECT_GT(can.row_time, Duration{});
  for (int32_t seq = 0; seq < 8; ++seq) EXPECT_EQ((*opened)->computed(SequenceId{seq}), 0);
}

TEST(LlamaExactness, TheNumberOfThreadsChangesNoByte) {
  std::vector<Answer> answers;
  for (const uint32_t threads : {1u, 2u}) {
    auto options = test_options();
    options.model_path = tiny_model(TinyKind::llama);
    options.threads = threads;
    const auto opened = open_test_model(options);
    ASSERT_TRUE(opened) << opened.error().message;
    const std::vector<Token> prompt(20, 7);
    answers.push_back(answer_all(**opened, {prompt, prompt}, 4).back());
  }
  for (const auto& answer : answers) {
    EXPECT_EQ(answer.tokens, answers.front().tokens);
    EXPECT_EQ(answer.last_row, answers.front().last_row);
  }
}

TEST(LlamaExactness, ASingleLaneLoadsAndCopiesNothing) {
  auto options = test_options();
  options.lanes = 1;
  const auto opened = open_test_model(options);
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ((*opened)->capabilities().copy, CopyCost::none);
  EXPECT_TRUE((*opened)->capabilities().alone_equals_beside.holds);
}

TEST(LlamaExactness, ManyWantedRowsAndAnyOrderOfFeedsCompute) {
  const auto opened = open_test_model(test_options());
  ASSERT_TRUE(opened) << opened.error().message;
  auto& runtime = **opened;
  struct Seen : LogitsSink {
    std::vector<std::pair<int32_t, Position>> rows;
    void on_logits(SequenceId seq, Position position, std::span<const float>) override {
      rows.emplace_back(seq.raw, position);
    }
  } seen;
  const auto long_text = test_text(100, 0), other = test_text(3, 1);
  const std::vector<Feed> feeds = {{SequenceId{5}, other, 0, LogitsWanted::last},
                                   {SequenceId{2}, long_text, 0, LogitsWanted::all}};
  ASSERT_TRUE(runtime.step(feeds, seen));
  ASSERT_EQ(seen.rows.size(), 101u);
  EXPECT_EQ(seen.rows[0], (std::pair<int32_t, Position>{5, 2}));
  for (Position i = 0; i < 100; ++i) EXPECT_EQ(seen.rows[1 + i], (std::pair<int32_t, Position>{2, i}));
  EXPECT_EQ(runtime.computed(SequenceId{2}), 100);
}

}  // namespace
}  // namespace sluice::llamacpp
