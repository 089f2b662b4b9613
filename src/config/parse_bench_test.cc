#include <gmock/gmock.h>

#include "config/bench_words.h"
#include "config/model_file.h"
#include "config/parse.h"
#include "config/test_folder.h"

namespace sluice::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Parsed<BenchOptions> parse(std::vector<std::string> words) {
  return parse_bench(std::move(words), "/nowhere/build/bin");
}

// What is refused, in the words that are shown.
std::string refused(std::vector<std::string> words) {
  const auto parsed = parse(std::move(words));
  return parsed ? "accepted" : parsed.error().text;
}

constexpr const char* kUrl = "http://127.0.0.1:81";

TEST(ParseBench, DefaultsAreNinePairsOnEightLanes) {
  const auto parsed = parse({"decode", "--url", kUrl});
  ASSERT_TRUE(parsed);
  EXPECT_THAT(parsed->cells, ElementsAre("decode"));
  EXPECT_EQ(parsed->pairs, 9u);
  EXPECT_EQ(parsed->warm_ups, 1u);
  EXPECT_EQ(parsed->lanes, 8u);
  EXPECT_EQ(parsed->others_max, 0.15);
  EXPECT_TRUE(parsed->model_path.empty()) << "only servers that are started need one";
  EXPECT_TRUE(parsed->out.starts_with("bench-") && parsed->out.ends_with(".json"));
}

TEST(ParseBench, EveryOptionIsTaken) {
  const auto parsed = parse({"decode",
                             "ttft",
                             "--url",
                             kUrl,
                             "--tokens",
                             "9",
                             "--prompt-tokens",
                             "0,2000",
                             "--levels",
                             "1,16",
                             "--sampling",
                             "sampled,greedy",
                             "--mode",
                             "chat",
                             "--thinking",
                             "on",
                             "--rates",
                             "0.5,2",
                             "--seconds",
                             "7",
                             "--first-token-ms",
                             "900",
                             "--pace",
                             "3.5",
                             "--class",
                             "agent",
                             "--pairs",
                             "3",
                             "--warm-ups",
                             "0",
                             "--others-max",
                             "0.5",
                             "--seed",
                             "4",
                             "--agreement",
                             "--out",
                             "x.json",
                             "--lanes",
                             "2",
                             "--context",
                             "512",
                             "--threads",
                             "3",
                             "--api-key",
                             "k"});
  ASSERT_TRUE(parsed) << parsed.error().text;
  EXPECT_THAT(parsed->cells, ElementsAre("decode", "ttft"));
  EXPECT_EQ(parsed->tokens, 9u);
  EXPECT_THAT(parsed->prompt_tokens, ElementsAre(0, 2000));
  EXPECT_THAT(parsed->levels, ElementsAre(1, 16));
  EXPECT_THAT(parsed->sampling, ElementsAre(BenchSampling::sampled, BenchSampling::greedy));
  EXPECT_EQ(parsed->mode, BenchMode::chat);
  EXPECT_EQ(parsed->thinking, true);
  EXPECT_THAT(parsed->rates, ElementsAre(0.5, 2));
  EXPECT_EQ(parsed->seconds, 7u);
  EXPECT_EQ(parsed->first_token_ms, 900u);
  EXPECT_EQ(parsed->pace, 3.5);
  EXPECT_EQ(parsed->class_name, "agent");
  EXPECT_EQ(parsed->pairs, 3u);
  EXPECT_EQ(parsed->warm_ups, 0u);
  EXPECT_EQ(parsed->others_max, 0.5);
  EXPECT_EQ(parsed->seed, 4u);
  EXPECT_TRUE(parsed->agreement);
  EXPECT_EQ(parsed->out, "x.json");
  EXPECT_EQ(parsed->lanes, 2u);
  EXPECT_EQ(parsed->context, 512u);
  EXPECT_EQ(parsed->threads, 3u);
  EXPECT_EQ(parsed->api_key, "k");
}

TEST(ParseBench, ServersThatAreStartedNeedAModel) {
  TestFolder folder;
  const std::string model = folder.write("m.gguf", "GGUF");
  const auto parsed = parse({"decode", "--start", "sluice", "--model", model});
  ASSERT_TRUE(parsed) << parsed.error().text;
  EXPECT_EQ(parsed->model_path, model);
  const auto missing = parse({"decode", "--start", "sluice", "--model", "/nonexistent.gguf"});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, kExitModel);
}

TEST(ParseBench, WhatIsImpossibleIsRefusedByName) {
  EXPECT_THAT(refused({"decode"}), HasSubstr("no server"));
  EXPECT_THAT(refused({"--url", kUrl}), HasSubstr("no cell"));
  EXPECT_THAT(refused({"decode", "--url", kUrl, "--levels", "1,x"}), HasSubstr("--levels: 'x'"));
  EXPECT_THAT(refused({"decode", "--url", kUrl, "--levels", "1,,2"}), HasSubstr("--levels: ''"));
  EXPECT_THAT(refused({"decode", "--url", kUrl, "--mode", "both"}), HasSubstr("raw, chat"));
  EXPECT_THAT(refused({"decode", "--url", kUrl, "--sampling", "greedy,hot"}), HasSubstr("greedy, sampled"));
  EXPECT_THAT(refused({"decode", "--url", kUrl, "--pairz", "3"}), HasSubstr("--pairs"));
  EXPECT_THAT(refused({"decode", "--url", kUrl, "--sweep", "lanes"}), HasSubstr("--sweep"));
}

TEST(BenchWords, AStartHasANameAKindAndOptions) {
  const auto start = bench_start(
      "fa=llama-server,lanes=16,context=2048,threads=2,model=/m,program=/p,arg=-fa,arg=on,"
      "env.A=b,ready=/up");
  ASSERT_TRUE(start);
  EXPECT_EQ(start->name, "fa");
  EXPECT_EQ(start->kind, "llama-server");
  EXPECT_EQ(start->lanes, 16u);
  EXPECT_EQ(start->context, 2048u);
  EXPECT_EQ(start->threads, 2u);
  EXPECT_EQ(start->model, "/m");
  EXPECT_EQ(start->program, "/p");
  EXPECT_EQ(start->ready_path, "/up");
  EXPECT_THAT(start->arguments, ElementsAre("-fa", "on"));
  EXPECT_THAT(start->environment, ElementsAre(std::pair("A", "b")));
}

TEST(BenchWords, AKindAloneNamesItself) {
  const auto start = bench_start("sluice,arg=--flash-attn=on");
  ASSERT_TRUE(start);
  EXPECT_EQ(start->name, "sluice");
  EXPECT_EQ(start->kind, "sluice");
  EXPECT_THAT(start->arguments, ElementsAre("--flash-attn=on"));
}

TEST(BenchWords, AStartThatIsNoneIsRefused) {
  for (const char* word : {"", "=sluice", "a=", "a=b,lanes", "a=b,lanes=0", "a=b,lanes=x", "a=b,colour=red"}) {
    EXPECT_FALSE(bench_start(word)) << word;
  }
}

TEST(BenchWords, AUrlIsNamedByItselfOrByWhatStandsBefore) {
  EXPECT_EQ(bench_url("http://h:1")->name, "h:1");
  EXPECT_EQ(bench_url("mine=http://h:1/v1")->name, "mine");
  EXPECT_EQ(bench_url("mine=http://h:1/v1")->url, "http://h:1/v1");
  for (const char* word : {"", "https://h", "h:1", "=http://h", "ahttp://h"}) EXPECT_FALSE(bench_url(word)) << word;
}

TEST(BenchWords, ASweepMultipliesServers) {
  const std::vector<BenchStart> starts = {*bench_start("a=sluice"), *bench_start("b=sluice,lanes=9")};
  const auto rows = swept(starts, "lanes=1,2");
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 4u);
  EXPECT_EQ((*rows)[0].name, "a lanes=1");
  EXPECT_EQ((*rows)[3].name, "b lanes=2");
  EXPECT_EQ((*rows)[3].lanes, 2u);
  EXPECT_FALSE(swept(starts, "lanes=1,many"));
  EXPECT_FALSE(swept(starts, "=1"));
}

TEST(ParseBenchReport, NeedsAResult) {
  EXPECT_FALSE(parse_bench_report({}));
  const auto parsed = parse_bench_report({"a.json", "b.json", "--html", "p.html", "--markdown", "p.md"});
  ASSERT_TRUE(parsed);
  EXPECT_THAT(parsed->results, ElementsAre("a.json", "b.json"));
  EXPECT_EQ(parsed->html, "p.html");
  EXPECT_EQ(parsed->markdown, "p.md");
}

}  // namespace
}  // namespace sluice::config
