#include <gtest/gtest.h>

#include "api/openai/parse.h"
#include "base/limits.h"

namespace sluice::api::openai {
namespace {

constexpr ModelShape kShape{.window = 4096, .vocabulary = 1000};

Result<Request> parse(const std::string& body) { return parse_chat(body, kShape); }
Result<Request> parse_messages(const std::string& messages) { return parse(R"({"messages":)" + messages + "}"); }

struct Refused {
  std::string body;
  const char* field;
  ErrorCode code = ErrorCode::invalid;
};

class RefusedChat : public testing::TestWithParam<Refused> {};

TEST_P(RefusedChat, NamesItsField) {
  const auto request = parse(GetParam().body);
  ASSERT_FALSE(request) << GetParam().body;
  EXPECT_EQ(request.error().code, GetParam().code) << request.error().message;
  EXPECT_EQ(request.error().field, GetParam().field) << request.error().message;
}

constexpr auto kUnsupported = ErrorCode::unsupported;
const Refused kRefused[] = {
    {"", ""},
    {"{", ""},
    {"nope", ""},
    {"[]", ""},
    {"\"x\"", ""},
    {"null", ""},
    {"{} {}", ""},
    {R"({"messages":[{"role":"user","content":"\ud800"}]})", ""},
    {"{\"messages\":\"\xff\"}", ""},
    {std::string(10'000, '['), ""},
    {R"({"a":)" + std::string(limits::json_depth_max, '[') + std::string(limits::json_depth_max, ']') + "}", ""},
    {"{}", "messages"},
    {R"({"messages":null})", "messages"},
    {R"({"messages":"hi"})", "messages"},
    {R"({"messages":[]})", "messages"},
    {R"({"messages":["hi"]})", "messages[0]"},
    {R"({"messages":[null]})", "messages[0]"},
    {R"({"messages":[{"content":"x"}]})", "messages[0].role"},
    {R"({"messages":[{"role":1,"content":"x"}]})", "messages[0].role"},
    {R"({"messages":[{"role":"wizard","content":"x"}]})", "messages[0].role"},
    {R"({"messages":[{"role":"tool","content":"x"}]})", "messages[0].role", kUnsupported},
    {R"({"messages":[{"role":"user","content":"a"},{"role":"user","content":5}]})", "messages[1].content"},
    {R"({"messages":[{"role":"user","content":{}}]})", "messages[0].content"},
    {R"({"messages":[{"role":"user","content":["x"]}]})", "messages[0].content[0]"},
    {R"({"messages":[{"role":"user","content":[{"text":"x"}]}]})", "messages[0].content[0].type"},
    {R"({"messages":[{"role":"user","content":[{"type":"text"}]}]})", "messages[0].content[0].text"},
    {R"({"messages":[{"role":"user","content":[{"type":"text","text":1}]}]})", "messages[0].content[0].text"},
    {R"({"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url"}]}]})",
     "messages[0].content[1].type", kUnsupported},
    {R"({"messages":[{"role":"user","content":"x","name":3}]})", "messages[0].name"},
    {R"({"messages":[{"role":"assistant","tool_calls":[{}]}]})", "messages[0].tool_calls", kUnsupported},
    {R"({"messages":[{"role":"user","content":"x"}],"logprobs":1})", "logprobs"},
    {R"({"messages":[{"role":"user","content":"x"}],"logprobs":true,"top_logprobs":21})", "top_logprobs"},
    {R"({"messages":[{"role":"user","content":"x"}],"logprobs":true,"top_logprobs":-1})", "top_logprobs"},
    {R"({"messages":[{"role":"user","content":"x"}],"top_logprobs":2})", "top_logprobs"},
};
INSTANTIATE_TEST_SUITE_P(Table, RefusedChat, testing::ValuesIn(kRefused));

TEST(ParseChat, ContentMayBeTextNullOrTextParts) {
  const auto request = parse_messages(
      R"([{"role":"system","content":"be \u00e9 brief"},{"role":"assistant","content":null},
          {"role":"user","name":"ann","content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]},
          {"role":"developer"}])");
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request->wish.prompt_field, "messages");
  const auto& messages = std::get<Conversation>(request->wish.prompts.at(0));
  ASSERT_EQ(messages.size(), 4u);
  EXPECT_EQ(messages[0].content, "be é brief");
  EXPECT_EQ(messages[1].content, "");
  EXPECT_EQ(messages[2].content, "one\ntwo");
  EXPECT_EQ(messages[2].name, "ann");
  EXPECT_EQ(messages[3].role, "developer");
}

TEST(ParseChat, LogprobsOfTheChosenTokenAloneArePossible) {
  const auto messages = std::string(R"({"messages":[{"role":"user","content":"x"}],)");
  EXPECT_EQ(parse(messages + R"("logprobs":true})")->wish.sampling.top_logprobs, 0u);
  EXPECT_EQ(parse(messages + R"("logprobs":true,"top_logprobs":20})")->wish.sampling.top_logprobs, 20u);
  EXPECT_FALSE(parse(messages + R"("logprobs":false,"top_logprobs":0})")->wish.sampling.top_logprobs);
}

TEST(ParseChat, OneMessageTooManyIsRefused) {
  std::string messages = "[";
  for (size_t i = 0; i <= limits::messages_max; ++i) {
    messages += i == 0 ? R"({"role":"user","content":"x"})" : R"(,{"role":"user","content":"x"})";
  }
  const auto request = parse_messages(messages + "]");
  ASSERT_FALSE(request);
  EXPECT_EQ(request.error().field, "messages");
}

TEST(ParseChat, BrokenJsonSaysWhere) {
  const auto request = parse(R"({"messages": nope})");
  ASSERT_FALSE(request);
  EXPECT_NE(request.error().message.find("at byte 1"), std::string::npos) << request.error().message;
}

}  // namespace
}  // namespace sluice::api::openai
