#include "api/openai/stream.h"

#include <gtest/gtest.h>

#include "api/fake_backend.h"

namespace sluice::api::openai {
namespace {

ReplyHead head(Endpoint endpoint) { return {endpoint, "id-1", 17, "tiny", "fp", false, false}; }

const std::string kChatChunk =
    R"(data: {"id":"id-1","object":"chat.completion.chunk","created":17,"model":"tiny","system_fingerprint":"fp",)";
const std::string kTextChunk =
    R"(data: {"id":"id-1","object":"text_completion","created":17,"model":"tiny","system_fingerprint":"fp",)";
const std::string kTimings =
    R"("timings":{"cache_n":4,"prompt_n":6,"prompt_ms":20,"prompt_per_token_ms":3.3333333333333335,)"
    R"("prompt_per_second":300,"predicted_n":11,"predicted_ms":100,"predicted_per_token_ms":10,)"
    R"("predicted_per_second":100})";
const Usage kUsage{10, 4, 11};

TEST(ChatStream, RoleAndFirstWordsShareAChunk) {
  Stream stream(head(Endpoint::chat), 1);
  EXPECT_EQ(stream.output(0, words("Hi")),
            kChatChunk + R"("choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"},"logprobs":null,)" +
                R"("finish_reason":null}]})" + "\n\n");
  EXPECT_EQ(stream.output(0, words("\n")),
            kChatChunk + R"("choices":[{"index":0,"delta":{"content":"\n"},"logprobs":null,"finish_reason":null}]})" +
                "\n\n");
}

TEST(ChatStream, TheLastChunkHasReasonAndTimings) {
  Stream stream(head(Endpoint::chat), 1);
  stream.output(0, words("Hi"));
  EXPECT_EQ(stream.finished(0, finished(FinishReason::length, kUsage)),
            kChatChunk + R"("choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"length"}],)" + kTimings +
                "}\n\n");
  EXPECT_EQ(stream.end(kUsage), "data: [DONE]\n\n");
}

TEST(ChatStream, AnAnswerWhoseTimeWasOverSaysSo) {
  Stream stream(head(Endpoint::chat), 1);
  const auto last = stream.finished(0, finished(FinishReason::deadline, kUsage));
  EXPECT_NE(last.find(R"("finish_reason":"deadline")"), std::string::npos) << last;
}

TEST(ChatStream, AnAnswerWithoutWordsStillNamesItsRole) {
  Stream stream(head(Endpoint::chat), 1);
  const auto last = stream.finished(0, finished(FinishReason::stop, kUsage));
  EXPECT_NE(last.find(R"("delta":{"role":"assistant","content":""})"), std::string::npos) << last;
}

TEST(ChatStream, HeldBackTextIsNoChunk) {
  Stream stream(head(Endpoint::chat), 1);
  EXPECT_EQ(stream.output(0, words("")), "");
}

TEST(ChatStream, EachChoiceHasItsIndexAndItsOwnRole) {
  Stream stream(head(Endpoint::chat), 2);
  stream.output(0, words("a"));
  const auto other = stream.output(1, words("b"));
  EXPECT_NE(other.find(R"({"index":1,"delta":{"role":"assistant","content":"b"})"), std::string::npos) << other;
}

TEST(ChatStream, UsageComesInAChunkOfItsOwnWhereItWasAskedFor) {
  auto with_usage = head(Endpoint::chat);
  with_usage.include_usage = true;
  Stream stream(with_usage, 1);
  const auto first = stream.output(0, words("a"));
  EXPECT_TRUE(first.ends_with("],\"usage\":null}\n\n")) << first;
  EXPECT_EQ(stream.end(kUsage),
            kChatChunk + R"("choices":[],"usage":{"prompt_tokens":10,"completion_tokens":11,"total_tokens":21,)" +
                R"("prompt_tokens_details":{"cached_tokens":4}}})" + "\n\ndata: [DONE]\n\n");
}

TEST(ChatStream, LogprobsComeWithTheirTokensEvenWhileTheirTextIsHeldBack) {
  auto with_logprobs = head(Endpoint::chat);
  with_logprobs.logprobs = true;
  Stream stream(with_logprobs, 1);
  Output output = words("");
  output.logprobs.push_back({7, -0.5f, "x", {}});
  const auto chunk = stream.output(0, output);
  EXPECT_NE(chunk.find(R"("content":""},"logprobs":{"content":[{"token":"x")"), std::string::npos) << chunk;
}

TEST(ChatStream, AFailureIsAnErrorEventWithoutDone) {
  Stream stream(head(Endpoint::chat), 1);
  EXPECT_EQ(stream.failed({ErrorCode::worker_lost, "it died", ""}),
            "data: {\"error\":{\"message\":\"it died\",\"type\":\"server_error\",\"param\":null,"
            "\"code\":\"worker_lost\"}}\n\n");
}

TEST(ChatReply, HasAllChoicesUsageAndTimings) {
  Stream stream(head(Endpoint::chat), 2);
  std::vector<AnswerChoice> choices(2);
  choices[0] = {"one", {}, finished(FinishReason::stop, kUsage)};
  choices[1] = {"two", {}, finished(FinishReason::length, kUsage)};
  EXPECT_EQ(
      stream.whole(choices, {10, 4, 22}),
      R"({"id":"id-1","object":"chat.completion","created":17,"model":"tiny","system_fingerprint":"fp","choices":[)"
      R"({"index":0,"message":{"role":"assistant","content":"one"},"logprobs":null,"finish_reason":"stop"},)"
      R"({"index":1,"message":{"role":"assistant","content":"two"},"logprobs":null,"finish_reason":"length"}],)"
      R"("usage":{"prompt_tokens":10,"completion_tokens":22,"total_tokens":32,)"
      R"("prompt_tokens_details":{"cached_tokens":4}},)" +
          kTimings + "}");
}

TEST(CompletionStream, ChunksHaveTextAndOffsetsGoOn) {
  auto with_logprobs = head(Endpoint::completions);
  with_logprobs.logprobs = true;
  Stream stream(with_logprobs, 1);
  Output output = words("ab");
  output.logprobs.push_back({7, -0.5f, "ab", {}});
  EXPECT_EQ(stream.output(0, output),
            kTextChunk + R"("choices":[{"index":0,"text":"ab","logprobs":{"tokens":["ab"],"token_logprobs":[-0.5],)" +
                R"("top_logprobs":[{}],"text_offset":[0]},"finish_reason":null}]})" + "\n\n");
  const auto next = stream.output(0, output);
  EXPECT_NE(next.find("\"text_offset\":[2]"), std::string::npos) << next;
  const auto last = stream.finished(0, finished(FinishReason::stop, kUsage));
  EXPECT_NE(last.find(R"({"index":0,"text":"","logprobs":null,"finish_reason":"stop"})"), std::string::npos) << last;
}

TEST(CompletionReply, HasText) {
  Stream stream(head(Endpoint::completions), 1);
  const std::vector<AnswerChoice> choices{{"one", {}, finished(FinishReason::stop, kUsage)}};
  const auto reply = stream.whole(choices, kUsage);
  EXPECT_NE(reply.find(R"("choices":[{"index":0,"text":"one","logprobs":null,"finish_reason":"stop"}])"),
            std::string::npos)
      << reply;
}

TEST(Timings, OfASingleTokenDivideByNothing) {
  Stream stream(head(Endpoint::completions), 1);
  Finished one;
  one.usage = {1, 1, 1};
  const auto chunk = stream.finished(0, one);
  EXPECT_NE(chunk.find(R"("prompt_per_second":0,"predicted_n":1,"predicted_ms":0,"predicted_per_token_ms":0,)"),
            std::string::npos)
      << chunk;
}

}  // namespace
}  // namespace sluice::api::openai
