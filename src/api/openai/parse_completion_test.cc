#include <gtest/gtest.h>

#include "api/openai/parse.h"

namespace sluice::api::openai {
namespace {

constexpr ModelShape kShape{.window = 4096, .vocabulary = 1000};

Result<Request> parse(const std::string& body) { return parse_completion(body, kShape); }

struct Refused {
  const char* body;
  const char* field;
  ErrorCode code = ErrorCode::invalid;
};

class RefusedCompletion : public testing::TestWithParam<Refused> {};

TEST_P(RefusedCompletion, NamesItsField) {
  const auto request = parse(GetParam().body);
  ASSERT_FALSE(request) << GetParam().body;
  EXPECT_EQ(request.error().code, GetParam().code) << request.error().message;
  EXPECT_EQ(request.error().field, GetParam().field) << request.error().message;
}

constexpr auto kUnsupported = ErrorCode::unsupported;
const Refused kRefused[] = {
    {R"({})", "prompt"},
    {R"({"prompt":null})", "prompt"},
    {R"({"prompt":5})", "prompt"},
    {R"({"prompt":{}})", "prompt"},
    {R"({"prompt":[]})", "prompt"},
    {R"({"prompt":[[]]})", "prompt[0]"},
    {R"({"prompt":["a",5]})", "prompt[1]"},
    {R"({"prompt":[[1],"a"]})", "prompt[1]"},
    {R"({"prompt":[null]})", "prompt[0]"},
    {R"({"prompt":[1,"a"]})", "prompt[1]"},
    {R"({"prompt":[1,1000]})", "prompt[1]"},
    {R"({"prompt":[-1]})", "prompt[0]"},
    {R"({"prompt":[1.5]})", "prompt[0]"},
    {R"({"prompt":[[1],[2,3000]]})", "prompt[1][1]"},
    {R"({"prompt":["a","b","c","d","e","f","g","h","i"],"n":2})", "n"},
    {R"({"prompt":["","","","","","","","","","","","","","","","",""]})", "prompt"},
    {R"({"prompt":"x","logprobs":21})", "logprobs"},
    {R"({"prompt":"x","logprobs":true})", "logprobs"},
    {R"({"prompt":"x","echo":1})", "echo"},
    {R"({"prompt":"x","echo":true})", "echo", kUnsupported},
    {R"({"prompt":"x","suffix":"y"})", "suffix", kUnsupported},
    {R"({"prompt":"x","suffix":5})", "suffix"},
    {R"({"prompt":"x","best_of":3})", "best_of", kUnsupported},
    {R"({"prompt":"x","n":2,"best_of":1})", "best_of"},
};
INSTANTIATE_TEST_SUITE_P(Table, RefusedCompletion, testing::ValuesIn(kRefused));

TEST(ParseCompletion, APromptHasFourForms) {
  const auto prompts = [](const std::string& prompt) {
    const auto request = parse(R"({"prompt":)" + prompt + "}");
    EXPECT_TRUE(request) << request.error().message;
    return request->wish.prompts;
  };
  using Tokens = std::vector<Token>;
  EXPECT_EQ(std::get<std::string>(prompts(R"("hi")").at(0)), "hi");
  EXPECT_EQ(std::get<std::string>(prompts(R"(["a","b"])").at(1)), "b");
  EXPECT_EQ(std::get<Tokens>(prompts("[1,2,999]").at(0)), (Tokens{1, 2, 999}));
  EXPECT_EQ(std::get<Tokens>(prompts("[[1],[2,3]]").at(1)), (Tokens{2, 3}));
}

TEST(ParseCompletion, LogprobsAndAllowedBestOfAreTaken) {
  const auto request = parse(R"({"prompt":"x","n":2,"best_of":2,"logprobs":5,"echo":false,"suffix":""})");
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request->wish.sampling.top_logprobs, 5u);
  EXPECT_EQ(request->wish.n, 2u);
  EXPECT_EQ(request->wish.prompt_field, "prompt");
}

}  // namespace
}  // namespace sluice::api::openai
