#include <gtest/gtest.h>

#include "config/parse.h"

namespace sluice::config {
namespace {

std::string refusal(std::vector<std::string> arguments) {
  const auto parsed = parse_run(std::move(arguments));
  EXPECT_FALSE(parsed);
  return parsed ? "" : std::to_string(parsed.error().code) + " " + parsed.error().text;
}

TEST(ParseRun, TakesEveryFlag) {
  const auto o = parse_run({"--url", "http://127.0.0.1:1", "--api-key", "k", "--system", "Be brief.", "--max-tokens",
                            "9", "--temperature", "0.5", "--seed", "18446744073709551615", "--runtime", "fake"});
  ASSERT_TRUE(o) << o.error().text;
  EXPECT_EQ(o->url, "http://127.0.0.1:1");
  EXPECT_EQ(o->api_key, "k");
  EXPECT_EQ(o->system, "Be brief.");
  EXPECT_EQ(o->max_tokens, 9u);
  EXPECT_EQ(o->temperature, 0.5);
  EXPECT_EQ(o->seed, UINT64_MAX);
  EXPECT_EQ(o->runtime, "fake");
}

TEST(ParseRun, NothingIsNeeded) {
  const auto o = parse_run({});
  ASSERT_TRUE(o);
  EXPECT_TRUE(o->model.empty() && o->url.empty());
  EXPECT_FALSE(o->temperature || o->seed || o->max_tokens);
  EXPECT_EQ(parse_run({"m.gguf"})->model, "m.gguf");
}

TEST(ParseRun, SaysWhatIsImpossible) {
  EXPECT_EQ(refusal({"--temperature", "3"}),
            "2 sluice run: --temperature: '3' is not possible: a temperature is 0 to 2");
  EXPECT_EQ(refusal({"--temperature", "nan"}),
            "2 sluice run: --temperature: 'nan' is not possible: a temperature is 0 to 2");
  EXPECT_EQ(refusal({"--seed", "-1"}),
            "2 sluice run: --seed: '-1' is not possible: a seed is 0 to 18446744073709551615");
  EXPECT_EQ(refusal({"--url", "ftp://x"}),
            "2 sluice run: --url: 'ftp://x' is not possible; http://127.0.0.1:8484 would be");
  EXPECT_EQ(refusal({"m.gguf", "--url", "http://x"}),
            "2 sluice run: --url: a server that runs already has its model; leave MODEL or --url away");
  EXPECT_EQ(refusal({"--systm", "x"}), "2 sluice run: unknown option --systm; did you mean --system?");
}

}  // namespace
}  // namespace sluice::config
