#include "bench/server/launch.h"

#include <gmock/gmock.h>

namespace sluice::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Places kPlaces{"/repo/build/bin", "/repo/bench/peers"};

config::BenchOptions options() {
  config::BenchOptions o;
  o.model_path = "/m.gguf";
  return o;
}

TEST(Launch, OurOwnServerIsBesideThisProgram) {
  const auto launch = plan_launch({.name = "a", .kind = "sluice"}, options(), kPlaces, 81);
  ASSERT_TRUE(launch);
  EXPECT_THAT(launch->argv, ElementsAre("/repo/build/bin/sluice", "serve", "/m.gguf", "--port", "81", "--lanes", "8",
                                        "--context", "4096"));
  EXPECT_EQ(launch->ready_path, "/health");
}

TEST(Launch, LlamaServerGetsTheContextOfAllItsLanes) {
  const config::BenchStart start{
      .name = "fa", .kind = "llama-server", .lanes = 16, .context = 2048, .threads = 2, .arguments = {"-fa", "on"}};
  const auto launch = plan_launch(start, options(), kPlaces, 82);
  ASSERT_TRUE(launch);
  EXPECT_THAT(launch->argv, ElementsAre("/repo/build/bin/llama-server", "-m", "/m.gguf", "--host", "127.0.0.1",
                                        "--port", "82", "-np", "16", "-c", "32768", "-t", "2", "-fa", "on"));
  EXPECT_EQ(launch->lanes, 16u);
  EXPECT_EQ(launch->context, 2048u);
}

TEST(Launch, OtherPeersAreStartedByTheirScripts) {
  for (const char* kind : {"superfluid", "mlx-lm", "ollama"}) {
    const auto launch = plan_launch({.name = "x", .kind = kind}, options(), kPlaces, 83);
    ASSERT_TRUE(launch);
    EXPECT_THAT(launch->argv,
                ElementsAre(std::string("/repo/bench/peers/start-") + kind + ".sh", "/m.gguf", "83", "8", "4096", "0"));
  }
}

TEST(Launch, ACommandsWordsAreFilledIn) {
  const config::BenchStart start{.name = "c",
                                 .kind = "command",
                                 .program = "/bin/srv",
                                 .lanes = 3,
                                 .arguments = {"--at={port}", "{model}", "{lanes}x{context}"},
                                 .environment = {{"A", "b"}},
                                 .ready_path = "/up"};
  const auto launch = plan_launch(start, options(), kPlaces, 84);
  ASSERT_TRUE(launch);
  EXPECT_THAT(launch->argv, ElementsAre("/bin/srv", "--at=84", "/m.gguf", "3x4096"));
  EXPECT_EQ(launch->ready_path, "/up");
  EXPECT_THAT(launch->environment, ElementsAre(std::pair("A", "b")));
}

TEST(Launch, AnUnknownKindAndACommandWithoutAProgramAreRefused) {
  const auto unknown = plan_launch({.name = "v", .kind = "vllm"}, options(), kPlaces, 1);
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("llama-server"));
  EXPECT_FALSE(plan_launch({.name = "c", .kind = "command"}, options(), kPlaces, 1));
}

}  // namespace
}  // namespace sluice::bench
