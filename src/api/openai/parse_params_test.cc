// The fields that both dialects share, one row each: what is taken, what is refused, and the field that is named.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "api/openai/parse.h"
#include "base/limits.h"

namespace sluice::api::openai {
namespace {

constexpr ModelShape kShape{.window = 4096, .vocabulary = 1000};

Result<Request> parse(const std::string& fields) {
  return parse_completion(R"({"prompt":"hi",)" + fields + "}", kShape);
}

struct Refused {
  const char* fields;
  const char* field;
  ErrorCode code = ErrorCode::invalid;
};

class RefusedField : public testing::TestWithParam<Refused> {};

TEST_P(RefusedField, IsNamed) {
  const auto request = parse(GetParam().fields);
  ASSERT_FALSE(request) << GetParam().fields;
  EXPECT_EQ(request.error().code, GetParam().code) << request.error().message;
  EXPECT_EQ(request.error().field, GetParam().field) << request.error().message;
  EXPECT_NE(request.error().message.find(GetParam().field), std::string::npos) << request.error().message;
}

constexpr auto kUnsupported = ErrorCode::unsupported;
const Refused kRefused[] = {
    {R"("model":1)", "model"},
    {R"("temperature":"hot")", "temperature"},
    {R"("temperature":-0.1)", "temperature"},
    {R"("temperature":2.1)", "temperature"},
    {R"("temperature":1e999)", "temperature"},
    {R"("top_p":true)", "top_p"},
    {R"("top_p":1.5)", "top_p"},
    {R"("top_p":-1)", "top_p"},
    {R"("top_k":1.5)", "top_k"},
    {R"("top_k":-2)", "top_k"},
    {R"("top_k":4294967296)", "top_k"},
    {R"("top_k":"40")", "top_k"},
    {R"("min_p":2)", "min_p"},
    {R"("min_p":[])", "min_p"},
    {R"("seed":"x")", "seed"},
    {R"("seed":0.5)", "seed"},
    {R"("seed":18446744073709551616)", "seed"},
    {R"("seed":-9300000000000000000)", "seed"},
    {R"("stop":1)", "stop"},
    {R"("stop":{})", "stop"},
    {R"("stop":"")", "stop"},
    {R"("stop":["a",""])", "stop[1]"},
    {R"("stop":["a",3])", "stop[1]"},
    {R"("stop":["a",null])", "stop[1]"},
    {R"("stop":["1","2","3","4","5","6","7","8","9","10","11","12","13","14","15","16","17"])", "stop"},
    {R"("max_tokens":0)", "max_tokens"},
    {R"("max_tokens":-1)", "max_tokens"},
    {R"("max_tokens":1.5)", "max_tokens"},
    {R"("max_tokens":"5")", "max_tokens"},
    {R"("max_tokens":99999999999)", "max_tokens"},
    {R"("max_completion_tokens":0)", "max_completion_tokens"},
    {R"("max_completion_tokens":{})", "max_completion_tokens"},
    {R"("max_tokens":1,"max_completion_tokens":2)", "max_completion_tokens"},
    {R"("ignore_eos":1)", "ignore_eos"},
    {R"("presence_penalty":2.5)", "presence_penalty"},
    {R"("presence_penalty":"1")", "presence_penalty"},
    {R"("frequency_penalty":-2.5)", "frequency_penalty"},
    {R"("frequency_penalty":[1])", "frequency_penalty"},
    {R"("repeat_penalty":0)", "repeat_penalty"},
    {R"("repeat_penalty":1e-300)", "repeat_penalty"},
    {R"("repeat_penalty":-1)", "repeat_penalty"},
    {R"("repeat_penalty":"1")", "repeat_penalty"},
    {R"("repeat_last_n":-2)", "repeat_last_n"},
    {R"("repeat_last_n":70000)", "repeat_last_n"},
    {R"("repeat_last_n":false)", "repeat_last_n"},
    {R"("logit_bias":1)", "logit_bias"},
    {R"("logit_bias":"x")", "logit_bias"},
    {R"("logit_bias":{"abc":1})", "logit_bias.abc"},
    {R"("logit_bias":{"":1})", "logit_bias."},
    {R"("logit_bias":{"1x":1})", "logit_bias.1x"},
    {R"("logit_bias":{"-1":1})", "logit_bias.-1"},
    {R"("logit_bias":{"1000":1})", "logit_bias.1000"},
    {R"("logit_bias":{"5":101})", "logit_bias.5"},
    {R"("logit_bias":{"5":"1"})", "logit_bias.5"},
    {R"("logit_bias":{"5":true})", "logit_bias.5"},
    {R"("logit_bias":{"5":null})", "logit_bias.5"},
    {R"("logit_bias":{"5":1,"05":1})", "logit_bias"},
    {R"("logit_bias":[1])", "logit_bias[0]"},
    {R"("logit_bias":[[1,2],[3]])", "logit_bias[1]"},
    {R"("logit_bias":[["x",1]])", "logit_bias[0]"},
    {R"("logit_bias":[[-1,1]])", "logit_bias[0]"},
    {R"("n":0)", "n"},
    {R"("n":17)", "n"},
    {R"("n":"2")", "n"},
    {R"("stream":1)", "stream"},
    {R"("stream":"true")", "stream"},
    {R"("stream_options":true)", "stream_options"},
    {R"("stream_options":{"include_usage":1})", "stream_options.include_usage"},
    {R"("tools":[{"type":"function"}])", "tools", kUnsupported},
    {R"("functions":[{}])", "functions", kUnsupported},
    {R"("tool_choice":"required")", "tool_choice", kUnsupported},
    {R"("tool_choice":{"type":"function"})", "tool_choice", kUnsupported},
    {R"("response_format":{"type":"json_object"})", "response_format.type", kUnsupported},
    {R"("response_format":{})", "response_format.type", kUnsupported},
    {R"("response_format":"text")", "response_format"},
    {R"("grammar":"root ::= x")", "grammar", kUnsupported},
    {R"("json_schema":{"type":"object"})", "json_schema", kUnsupported},
    {R"("modalities":["text","audio"])", "modalities", kUnsupported},
    {R"("modalities":"text")", "modalities"},
    {R"("audio":{"voice":"x"})", "audio", kUnsupported},
};
INSTANTIATE_TEST_SUITE_P(Table, RefusedField, testing::ValuesIn(kRefused));

TEST(ParseParams, AbsentAndNullFieldsHaveTheDefaults) {
  const auto request = parse(
      R"("temperature":null,"top_p":null,"top_k":null,"min_p":null,"seed":null,"stop":null,"max_tokens":null,
         "max_completion_tokens":null,"ignore_eos":null,"presence_penalty":null,"frequency_penalty":null,
         "repeat_penalty":null,"repeat_last_n":null,"logit_bias":null,"n":null,"stream":null,"stream_options":null,
         "model":null,"tools":null,"response_format":null,"user":null,"logprobs":null,"echo":null,"suffix":null)");
  ASSERT_TRUE(request) << request.error().message;
  const Wish& wish = request->wish;
  const SamplingParams defaults;
  EXPECT_EQ(wish.sampling.temperature, defaults.temperature);
  EXPECT_EQ(wish.sampling.top_p, defaults.top_p);
  EXPECT_EQ(wish.sampling.top_k, defaults.top_k);
  EXPECT_EQ(wish.sampling.min_p, defaults.min_p);
  EXPECT_EQ(wish.sampling.repeat_last_n, defaults.repeat_last_n);
  EXPECT_FALSE(wish.sampling.top_logprobs);
  EXPECT_FALSE(wish.seed);
  EXPECT_FALSE(wish.max_tokens);
  EXPECT_EQ(wish.n, 1u);
  EXPECT_FALSE(wish.stream);
  EXPECT_EQ(request->model, "");
}

TEST(ParseParams, EachFieldReachesTheRequest) {
  const auto request = parse(
      R"("model":"m","temperature":0,"top_p":0.5,"top_k":7,"min_p":0.25,"seed":42,"stop":["a","b"],"max_tokens":9,
         "ignore_eos":true,"presence_penalty":-2,"frequency_penalty":2,"repeat_penalty":1.5,"repeat_last_n":0,
         "n":16,"stream":true,"stream_options":{"include_usage":true})");
  ASSERT_TRUE(request) << request.error().message;
  const Wish& wish = request->wish;
  EXPECT_EQ(request->model, "m");
  EXPECT_EQ(wish.sampling.temperature, 0.0f);
  EXPECT_EQ(wish.sampling.top_p, 0.5f);
  EXPECT_EQ(wish.sampling.top_k, 7u);
  EXPECT_EQ(wish.sampling.min_p, 0.25f);
  EXPECT_EQ(wish.seed, 42u);
  EXPECT_EQ(wish.stop, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(wish.max_tokens, 9u);
  EXPECT_TRUE(wish.ignore_eos);
  EXPECT_EQ(wish.sampling.presence_penalty, -2.0f);
  EXPECT_EQ(wish.sampling.frequency_penalty, 2.0f);
  EXPECT_EQ(wish.sampling.repeat_penalty, 1.5f);
  EXPECT_EQ(wish.sampling.repeat_last_n, 0u);
  EXPECT_EQ(wish.n, 16u);
  EXPECT_TRUE(wish.stream);
  EXPECT_TRUE(request->include_usage);
}

TEST(ParseParams, SeedsAreAnySixtyFourBits) {
  EXPECT_EQ(parse(R"("seed":18446744073709551615)")->wish.seed, UINT64_MAX);
  EXPECT_EQ(parse(R"("seed":-2)")->wish.seed, UINT64_MAX - 1);
  EXPECT_EQ(parse(R"("seed":-9223372036854775808)")->wish.seed, uint64_t{1} << 63);
  EXPECT_EQ(parse(R"("seed":0)")->wish.seed, 0u);
  EXPECT_EQ(parse(R"("seed":3.0)")->wish.seed, 3u);
  EXPECT_FALSE(parse(R"("seed":-1)")->wish.seed);
}

TEST(ParseParams, LogitBiasHasTwoFormsAndIsSorted) {
  const std::vector<std::pair<Token, float>> wanted{{3, -100.0f}, {5, 1.5f}};
  EXPECT_EQ(parse(R"("logit_bias":{"5":1.5,"3":-100})")->wish.sampling.logit_bias, wanted);
  EXPECT_EQ(parse(R"("logit_bias":[[5,1.5],[3,-100]])")->wish.sampling.logit_bias, wanted);
  EXPECT_EQ(parse(R"("logit_bias":[[5,false]])")->wish.sampling.logit_bias[0].second,
            -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(parse(R"("logit_bias":{})")->wish.sampling.logit_bias.empty());
}

TEST(ParseParams, MinusOneIsOffForTopKAndTheWindowForRepeatLastN) {
  EXPECT_EQ(parse(R"("top_k":-1)")->wish.sampling.top_k, 0u);
  EXPECT_EQ(parse(R"("repeat_last_n":-1)")->wish.sampling.repeat_last_n, kShape.window);
  const auto large = parse_completion(R"({"prompt":"x","repeat_last_n":-1})", {.window = 1u << 20, .vocabulary = 9});
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().field, "repeat_last_n");
}

TEST(ParseParams, BothNamesOfMaxTokensAreOne) {
  EXPECT_EQ(parse(R"("max_completion_tokens":3)")->wish.max_tokens, 3u);
  EXPECT_EQ(parse(R"("max_completion_tokens":3,"max_tokens":3)")->wish.max_tokens, 3u);
}

TEST(ParseParams, UnknownFieldsAndEmptyOnesOfWhatIsNotOfferedAreAccepted) {
  EXPECT_TRUE(parse(R"("user":"me","metadata":{"a":1},"future":[1],"tools":[],"functions":[],"tool_choice":"none",
                       "response_format":{"type":"text"},"modalities":["text"],"grammar":"","store":false)"));
}

TEST(ParseParams, TheFirstThingWrongIsTold) {
  const auto request = parse(R"("top_p":7,"temperature":"x")");
  EXPECT_EQ(request.error().field, "temperature") << "temperature is read first";
}

}  // namespace
}  // namespace sluice::api::openai
