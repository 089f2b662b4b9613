#include "api/openai/logprobs.h"

#include <gtest/gtest.h>

#include <limits>

namespace sluice::api::openai {
namespace {

TokenLogprob token(std::string bytes, float logprob) {
  TokenLogprob out;
  out.bytes = std::move(bytes);
  out.logprob = logprob;
  return out;
}

TEST(Logprobs, OfAChatAreObjectsWithBytes) {
  auto one = token("H\"", -0.5f);
  one.top = {{1, -0.5f, "H\""}, {2, -1.25f, "B"}};
  const std::vector<TokenLogprob> tokens{one, token("\xE2", -2.0f)};
  EXPECT_EQ(
      chat_logprobs(tokens),
      "{\"content\":[{\"token\":\"H\\\"\",\"logprob\":-0.5,\"bytes\":[72,34],\"top_logprobs\":["
      "{\"token\":\"H\\\"\",\"logprob\":-0.5,\"bytes\":[72,34]},{\"token\":\"B\",\"logprob\":-1.25,\"bytes\":[66]}]},"
      "{\"token\":\"\xEF\xBF\xBD\",\"logprob\":-2,\"bytes\":[226],\"top_logprobs\":[]}]}");
}

TEST(Logprobs, OfACompletionAreParallelArrays) {
  auto one = token("é", -0.5f);
  one.top = {{1, -0.5f, "é"}, {2, -1.5f, "\"q\""}};
  size_t offset = 3;
  EXPECT_EQ(completion_logprobs(std::vector{one, token("ab", -1.0f)}, offset),
            "{\"tokens\":[\"é\",\"ab\"],\"token_logprobs\":[-0.5,-1],"
            "\"top_logprobs\":[{\"é\":-0.5,\"\\\"q\\\"\":-1.5},{}],\"text_offset\":[3,4]}");
  EXPECT_EQ(offset, 6u);
}

TEST(Logprobs, AnImpossibleTokenHasANumberToo) {
  size_t offset = 0;
  const auto text = completion_logprobs(std::vector{token("x", -std::numeric_limits<float>::infinity())}, offset);
  EXPECT_NE(text.find("\"token_logprobs\":[-9999]"), std::string::npos) << text;
}

}  // namespace
}  // namespace sluice::api::openai
