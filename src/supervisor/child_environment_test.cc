#include "supervisor/child_environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice::supervisor {
namespace {

using testing::ElementsAre;

TEST(ChildEnvironment, KeepsWhatRuntimesNeedAndNothingElse) {
  const char* ours[] = {"PATH=/bin",
                        "HOME=/root",
                        "LANG=C",
                        "LC_ALL=C.UTF-8",
                        "CUDA_VISIBLE_DEVICES=1",
                        "GGML_VK_DEVICE=0",
                        "OPENAI_API_KEY=sk-1",
                        "LLAMA_ARG=x",
                        "OMP_NUM_THREADS=2",
                        "LD_PRELOAD=evil.so",
                        "PATHOLOGY=1",
                        "LANGUAGE=de",
                        "GGML_NO_BACKTRACE=0"};
  EXPECT_THAT(child_environment(ours),
              ElementsAre("PATH=/bin", "HOME=/root", "LANG=C", "LC_ALL=C.UTF-8", "CUDA_VISIBLE_DEVICES=1",
                          "GGML_VK_DEVICE=0", "LLAMA_ARG=x", "OMP_NUM_THREADS=2", "GGML_NO_BACKTRACE=1"));
}

}  // namespace
}  // namespace sluice::supervisor
