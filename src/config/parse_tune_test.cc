#include <gtest/gtest.h>

#include "config/parse.h"
#include "config/test_folder.h"

namespace sluice::config {
namespace {

class ParseTune : public testing::Test {
 protected:
  Parsed<TuneOptions> parse(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), model_);
    return parse_tune(std::move(arguments), folder_.path());
  }
  TuneOptions good(std::vector<std::string> arguments) {
    Parsed<TuneOptions> parsed = parse(std::move(arguments));
    EXPECT_TRUE(parsed) << parsed.error().text;
    return parsed.value_or(TuneOptions{});
  }
  TestFolder folder_;
  std::string model_ = folder_.write("Tiny-1B.Q4_1.gguf", "GGUF");
};

TEST_F(ParseTune, WithoutOptionsItShowsWhatServeWouldUse) {
  const TuneOptions o = good({});
  EXPECT_EQ(o.serve.model_path, model_);
  EXPECT_FALSE(o.redo || o.unpin || o.pins());
  EXPECT_EQ(o.serve.load.cache_type_v, "f16");
  EXPECT_EQ(o.serve.load.lanes, 8u);
}

TEST_F(ParseTune, WhichServeIsMeantIsTakenAsServeTakesIt) {
  const TuneOptions o = good({"--lanes", "2", "--context", "2048", "--cache-type-k", "q8_0", "--cache-type-v", "q4_0",
                              "--device", "none", "--gpu-layers", "0", "--runtime", "fake", "--state-dir", "/s"});
  EXPECT_EQ(o.serve.load.lanes, 2u);
  EXPECT_EQ(o.serve.context, 2048u);
  EXPECT_EQ(o.serve.load.cache_type_k, "q8_0");
  EXPECT_EQ(o.serve.load.cache_type_v, "q4_0");
  EXPECT_EQ(o.serve.load.device, "none");
  EXPECT_EQ(o.serve.load.gpu_layers, 0);
  EXPECT_EQ(o.serve.runtime, "fake");
  EXPECT_EQ(o.serve.state_folder, "/s");
}

TEST_F(ParseTune, PinsAreTakenTogetherOrAlone) {
  const TuneOptions both = good({"--pin", "flash-attn=on,threads=2"});
  EXPECT_EQ(both.pin_flash_attention, true);
  EXPECT_EQ(both.pin_threads, 2u);
  EXPECT_EQ(good({"--pin", "flash-attn=off"}).pin_flash_attention, false);
  EXPECT_FALSE(good({"--pin", "threads=3"}).pin_flash_attention);
  EXPECT_TRUE(good({"--unpin"}).unpin);
  EXPECT_TRUE(good({"--redo"}).redo);
}

TEST_F(ParseTune, WhatIsImpossibleIsSaidInOneLineThatNamesWhatWorks) {
  const std::string pins = "flash-attn=on, flash-attn=off and threads=N are";
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--pin", "flash=on"}, "--pin: 'flash=on' is not possible; " + pins},
      {{"--pin", "flash-attn=auto"}, "--pin: 'flash-attn=auto' is not possible; " + pins},
      {{"--pin", "flash-attn"}, "--pin: 'flash-attn=' is not possible; " + pins},
      {{"--pin", ""}, "--pin: '=' is not possible; " + pins},
      {{"--pin", "threads=0"}, "--pin: '0' is not possible: a number of threads is 1 to 1024"},
      {{"--pin", "threads=2", "--redo"}, "--redo: one of --redo, --pin and --unpin at a time"},
      {{"--unpin", "--redo"}, "--redo: one of --redo, --pin and --unpin at a time"},
      {{"--pin", "flash-attn=off", "--cache-type-v", "q8_0"},
       "--cache-type-v: q8_0 needs flash attention; use --flash-attn auto, or f16"},
      {{"--rdo"}, "unknown option --rdo; did you mean --redo?"},
  };
  for (const auto& [arguments, line] : cases) {
    const auto parsed = parse(arguments);
    ASSERT_FALSE(parsed) << line;
    EXPECT_EQ(parsed.error().text, "sluice tune: " + line);
    EXPECT_EQ(parsed.error().code, kExitUsage) << line;
  }
}

TEST_F(ParseTune, HelpListsEveryFlag) {
  const auto parsed = parse({"--help"});
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code, 0);
  for (const char* flag : {"--redo", "--pin", "--unpin", "--lanes", "--context", "--gpu-layers", "--device",
                           "--cache-type-k", "--cache-type-v", "--runtime", "--state-dir"})
    EXPECT_NE(parsed.error().text.find(flag), std::string::npos) << flag;
}

}  // namespace
}  // namespace sluice::config
