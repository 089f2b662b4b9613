#include <gtest/gtest.h>

#include "config/check.h"
#include "config/parse.h"
#include "config/state_folder.h"
#include "config/test_folder.h"

namespace sluice::config {
namespace {

class ParseServe : public testing::Test {
 protected:
  Parsed<ServeOptions> parse(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), model_);
    return parse_serve(std::move(arguments), folder_.path());
  }
  ServeOptions good(std::vector<std::string> arguments) {
    Parsed<ServeOptions> parsed = parse(std::move(arguments));
    EXPECT_TRUE(parsed) << parsed.error().text;
    return parsed.value_or(ServeOptions{});
  }
  TestFolder folder_;
  std::string model_ = folder_.write("Tiny-1B.Q4_1.gguf", "GGUF");
};

TEST_F(ParseServe, DefaultsAreThoseOfTheHelp) {
  const ServeOptions o = good({});
  EXPECT_EQ(o.model_path, model_);
  EXPECT_EQ(o.load.model_path, model_);
  EXPECT_EQ(o.host, "127.0.0.1");
  EXPECT_EQ(o.port, 8484);
  EXPECT_EQ(o.runtime, "llamacpp");
  EXPECT_EQ(o.name, "Tiny-1B.Q4_1");
  EXPECT_EQ(o.load.lanes, 8u);
  EXPECT_EQ(o.load.threads, 0u);
  EXPECT_EQ(o.load.batch, 2048u);
  EXPECT_EQ(o.load.ubatch, 512u);
  EXPECT_EQ(o.load.gpu_layers, -1);
  EXPECT_EQ(o.load.cache_type_k, "f16");
  EXPECT_EQ(o.load.cache_type_v, "f16");
  EXPECT_EQ(o.load.flash_attention, FlashAttention::automatic);
  EXPECT_EQ(o.drain, std::chrono::seconds(30));
  EXPECT_EQ(o.log_level, LogLevel::info);
  EXPECT_EQ(o.tune, TuneMode::automatic);
  EXPECT_EQ(o.state_folder, default_state_folder());
  EXPECT_FALSE(o.context || o.max_tokens || o.metrics_open || o.insecure);
  EXPECT_TRUE(o.aliases.empty() && o.api_keys.empty());
}

TEST_F(ParseServe, WhatGoesFirstInAStepIsTakenByClass) {
  const ServeOptions o =
      good({"--chunk-ms", "64", "--class-lanes", "background=2,agent=6", "--pace-ms=interactive=50"});
  EXPECT_EQ(o.load.chunk_time, std::chrono::milliseconds(64));
  EXPECT_EQ(o.load.class_lanes, (std::array<uint32_t, 4>{0, 0, 6, 2}));
  EXPECT_EQ(o.load.pace[0], std::chrono::milliseconds(50));
  EXPECT_EQ(o.load.pace[1], std::chrono::milliseconds(100));
  EXPECT_EQ(o.load.pace[2], std::chrono::milliseconds(200));
}

TEST_F(ParseServe, AClassThatIsNoneOrHasNoNumberIsRefused) {
  for (const char* words : {"urgent=2", "agent", "agent=0", "agent=x"}) {
    EXPECT_EQ(parse({"--class-lanes", words}).error().code, kExitUsage) << words;
  }
  EXPECT_EQ(parse({"--chunk-ms", "0"}).error().code, kExitUsage);
}

TEST_F(ParseServe, ListeningFlagsAreTaken) {
  const ServeOptions o = good({"--host", "0.0.0.0", "--port=0", "--insecure", "--metrics-open"});
  EXPECT_EQ(o.host, "0.0.0.0");
  EXPECT_EQ(o.port, 0);
  EXPECT_TRUE(o.insecure && o.metrics_open);
  EXPECT_EQ(good({"--host", "localhost"}).host, "127.0.0.1");
  EXPECT_EQ(good({"--host", "::1"}).host, "::1");
}

TEST_F(ParseServe, CapacityFlagsAreTaken) {
  const ServeOptions o = good({"--lanes", "3", "--context", "4096", "--threads", "2", "--batch", "1024", "--ubatch",
                               "256", "--max-tokens", "77"});
  EXPECT_EQ(o.load.lanes, 3u);
  EXPECT_EQ(o.context, 4096u);
  EXPECT_EQ(o.load.threads, 2u);
  EXPECT_EQ(o.load.batch, 1024u);
  EXPECT_EQ(o.load.ubatch, 256u);
  EXPECT_EQ(o.max_tokens, 77u);
}

TEST_F(ParseServe, ASmallBatchBringsTheDefaultPassDown) { EXPECT_EQ(good({"--batch", "128"}).load.ubatch, 128u); }

TEST_F(ParseServe, RuntimeFlagsAreTaken) {
  const ServeOptions o = good({"--gpu-layers", "12", "--device", "CUDA0", "--cache-type-k", "q8_0", "--cache-type-v",
                               "q4_0", "--flash-attn", "on", "--runtime", "fake"});
  EXPECT_EQ(o.load.gpu_layers, 12);
  EXPECT_EQ(o.load.device, "CUDA0");
  EXPECT_EQ(o.load.cache_type_k, "q8_0");
  EXPECT_EQ(o.load.cache_type_v, "q4_0");
  EXPECT_EQ(o.load.flash_attention, FlashAttention::on);
  EXPECT_EQ(o.runtime, "fake");
  EXPECT_EQ(good({"--flash-attn", "off"}).load.flash_attention, FlashAttention::off);
  EXPECT_EQ(good({"--gpu-layers", "-1"}).load.gpu_layers, -1);
}

TEST_F(ParseServe, TuningFlagsAreTaken) {
  const ServeOptions o = good({"--tune", "off", "--state-dir", "state"});
  EXPECT_EQ(o.tune, TuneMode::off);
  EXPECT_EQ(o.state_folder, "state");
  EXPECT_EQ(good({"--tune", "auto"}).tune, TuneMode::automatic);
}

TEST_F(ParseServe, ServiceFlagsAreTaken) {
  const ServeOptions o = good({"--name", "tiny", "--alias", "gpt-4o,small", "--alias", "other", "--drain-seconds", "0",
                               "--log-level", "debug"});
  EXPECT_EQ(o.name, "tiny");
  EXPECT_EQ(o.aliases, (std::vector<Alias>{{"gpt-4o", {}}, {"small", {}}, {"other", {}}}));
  EXPECT_EQ(o.drain, std::chrono::seconds(0));
  EXPECT_EQ(o.log_level, LogLevel::debug);
}

TEST_F(ParseServe, AnAliasMayGiveAClass) {
  const ServeOptions o = good({"--alias", "fast=interactive,a=b=background", "--alias", "plain"});
  EXPECT_EQ(o.aliases, (std::vector<Alias>{{"fast", Class::interactive}, {"a=b", Class::background}, {"plain", {}}}));
}

TEST_F(ParseServe, ARepeatedFlagDoesNotSwallowTheModel) {
  const auto o = parse_serve({"--alias", "a", model_}, folder_.path());
  ASSERT_TRUE(o) << o.error().text;
  EXPECT_EQ(o->model_path, model_);
  EXPECT_EQ(o->aliases, (std::vector<Alias>{{"a", {}}}));
}

struct BadCase {
  std::vector<std::string> arguments;
  std::string line;
};

TEST_F(ParseServe, WhatIsImpossibleIsSaidInOneLineThatNamesWhatWorks) {
  const std::string empty_keys = folder_.write("empty", "# nothing\n\n");
  const std::string types = "one of f32, f16, bf16, q8_0, q5_1, q5_0, q4_1, q4_0, iq4_nl is";
  const std::vector<BadCase> cases = {
      {{"--prot", "80"}, "unknown option --prot; did you mean --port?"},
      {{"--lane=4"}, "unknown option --lane; did you mean --lanes?"},
      {{"--context-size", "4096"}, "unknown option --context-size; `sluice serve --help` lists them"},
      {{"-x"}, "unknown option -x; `sluice serve --help` lists them"},
      {{"b.gguf"}, "one MODEL at most; 'b.gguf' is a second one"},
      {{"--port", "70000"}, "--port: '70000' is not possible: a port is 0 to 65535"},
      {{"--port", "-1"}, "--port: '-1' is not possible: a port is 0 to 65535"},
      {{"--port", "80x"}, "--port: '80x' is not possible: a port is 0 to 65535"},
      {{"--lanes", "0"}, "--lanes: '0' is not possible: a number of lanes is 1 to 64"},
      {{"--lanes", "65"}, "--lanes: '65' is not possible: a number of lanes is 1 to 64"},
      {{"--lanes", "99999999999999"}, "--lanes: '99999999999999' is not possible: a number of lanes is 1 to 64"},
      {{"--context", "255"}, "--context: '255' is not possible: a context is 256 to 1048576"},
      {{"--context", "1.5"}, "--context: '1.5' is not possible: a context is 256 to 1048576"},
      {{"--threads", "2000"}, "--threads: '2000' is not possible: a number of threads is 0 to 1024"},
      {{"--batch", "0"}, "--batch: '0' is not possible: a batch is 1 to 65536"},
      {{"--batch", "4"}, "--batch: 4 is less than --lanes 8; a call takes a token of each lane"},
      {{"--batch", "100", "--ubatch", "200"}, "--ubatch: 200 is more than --batch 100; a pass is a part of a call"},
      {{"--gpu-layers", "-2"}, "--gpu-layers: '-2' is not possible: a number of layers is -1 to 65536"},
      {{"--cache-type-k", "q3"}, "--cache-type-k: 'q3' is not possible; " + types},
      {{"--cache-type-v", "F16"}, "--cache-type-v: 'F16' is not possible; " + types},
      {{"--flash-attn", "yes"}, "--flash-attn: 'yes' is not possible; one of auto, on, off is"},
      {{"--flash-attn", "off", "--cache-type-v", "q8_0"},
       "--cache-type-v: q8_0 needs flash attention; use --flash-attn auto, or f16"},
      {{"--max-tokens", "0"}, "--max-tokens: '0' is not possible: a number of tokens is 1 to 1048576"},
      {{"--name", ""}, "--name: a model's name must not be empty"},
      {{"--name", std::string(257, 'n')}, "--name: a name of 257 bytes is too long; 256 bytes are possible"},
      {{"--name", "a\nb"}, "--name: a model's name must not hold control characters"},
      {{"--alias", "a,,b"}, "--alias: a model's name must not be empty"},
      {{"--alias", "a=fast"}, "--alias: 'fast' is not possible; one of " + std::string(kClassNames) + " is"},
      {{"--alias", "a=agent", "--alias", "a=background"}, "--alias: 'a' cannot have two classes"},
      {{"--api-key", ""}, "--api-key: a key must not be empty"},
      {{"--api-key-file", "/no/keys"}, "--api-key-file: '/no/keys' cannot be read (No such file or directory)"},
      {{"--api-key-file", "/"}, "--api-key-file: '/' cannot be read (Is a directory)"},
      {{"--api-key-file", empty_keys}, "--api-key-file: '" + empty_keys + "' holds no key; write one a line"},
      {{"--drain-seconds", "-1"}, "--drain-seconds: '-1' is not possible: a number of seconds is 0 to 86400"},
      {{"--log-level", "trace"}, "--log-level: 'trace' is not possible; one of error, warn, info, debug is"},
      {{"--tune", "again"}, "--tune: 'again' is not possible; one of auto, off is"},
      {{"--state-dir", ""}, "--state-dir: a folder's name must not be empty"},
      {{"--host", "example.com"}, "--host: 'example.com' is not an address; 127.0.0.1, ::1 or 0.0.0.0 would work"},
      {{"--host", "0.0.0.0"},
       "--host: 0.0.0.0 can be reached from other machines and no key is set; use --api-key, --api-keys, or "
       "--insecure to serve everybody"},
      {{"--host", "::"},
       "--host: :: can be reached from other machines and no key is set; use --api-key, --api-keys, or "
       "--insecure to serve everybody"},
      {{"--runtime", "../evil"}, "--runtime: '../evil' is not possible; llamacpp is"},
  };
  for (const BadCase& bad : cases) {
    const Parsed<ServeOptions> parsed = parse(bad.arguments);
    ASSERT_FALSE(parsed) << bad.line;
    EXPECT_EQ(parsed.error().text, "sluice serve: " + bad.line);
    EXPECT_EQ(parsed.error().code, kExitUsage) << bad.line;
  }
}

TEST_F(ParseServe, AFlagWithoutItsValueIsOneLineThatNamesIt) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--port"}, {"--port", "1", "--port", "2"}}) {
    const Parsed<ServeOptions> parsed = parse(arguments);
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.error().code, kExitUsage);
    EXPECT_NE(parsed.error().text.find("--port"), std::string::npos) << parsed.error().text;
    EXPECT_EQ(parsed.error().text.find('\n'), std::string::npos);
  }
}

TEST_F(ParseServe, AModelThatIsNotThereEndsWithCodeThree) {
  const auto parsed = parse_serve({"/no/such.gguf"}, folder_.path());
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code, kExitModel);
  EXPECT_EQ(parsed.error().text, "sluice serve: cannot load '/no/such.gguf': there is no such file");
}

TEST_F(ParseServe, HelpListsEveryFlagAndIsNoError) {
  const auto parsed = parse({"--help"});
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code, 0);
  for (const char* flag :
       {"--host",         "--port",        "--lanes",     "--context",       "--threads",       "--batch",
        "--ubatch",       "--gpu-layers",  "--device",    "--cache-type-k",  "--cache-type-v",  "--flash-attn",
        "--max-tokens",   "--name",        "--alias",     "--api-key",       "--api-key-file",  "--api-keys",
        "--queue-max",    "--class-queue", "--key-queue", "--queue-time-ms", "--drain-seconds", "--log-level",
        "--metrics-open", "--insecure",    "--runtime",   "--tune",          "--state-dir"}) {
    EXPECT_NE(parsed.error().text.find(flag), std::string::npos) << flag;
  }
}

}  // namespace
}  // namespace sluice::config
