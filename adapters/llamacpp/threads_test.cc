// Where the threads of a pass may run after it, though one may have moved in it (third_party/llama.cpp/aside.h).
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "adapters/llamacpp/test_model.h"
#include "adapters/llamacpp/test_tiny_model.h"

namespace sluice::llamacpp {
namespace {

class NoLogits final : public LogitsSink {
  void on_logits(SequenceId, Position, std::span<const float>) override {}
};

cpu_set_t cores_of(pid_t thread) {
  cpu_set_t cores;
  EXPECT_EQ(sched_getaffinity(thread, sizeof cores, &cores), 0);
  return cores;
}

void keep_on(pid_t thread, const cpu_set_t& cores) { ASSERT_EQ(sched_setaffinity(thread, sizeof cores, &cores), 0); }

std::set<pid_t> threads() {
  std::set<pid_t> out;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    out.insert(std::stoi(task.path().filename().string()));
  }
  return out;
}

class LlamaThreads : public testing::Test {
 protected:
  void SetUp() override {
    const cpu_set_t all = cores_of(0);
    if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "this machine gives us one core";
    const std::set<pid_t> before = threads();
    auto options = test_options();
    options.model_path = tiny_model(TinyKind::llama);
    options.threads = 2;
    auto opened = open_test_model(options);
    ASSERT_TRUE(opened) << opened.error().message;
    runtime_ = std::move(*opened);
    for (const pid_t thread : threads()) {
      if (thread == getpid() || !before.contains(thread)) cores_[thread] = cores_of(thread);
    }
    ASSERT_GE(cores_.size(), 2u);
  }

  void pass() {
    runtime_->drop(SequenceId{0});
    const std::vector<Token> text(64, 7);
    const Feed feed{SequenceId{0}, text, 0, LogitsWanted::last};
    ASSERT_TRUE(runtime_->step({&feed, 1}, no_logits_));
  }

  // Where they were last is where the kernel wakes them.
  void put_on_one_core() {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    for (const auto& [thread, cores] : cores_) keep_on(thread, one);
    pass();
    for (const auto& [thread, cores] : cores_) keep_on(thread, cores);
  }

  std::map<pid_t, cpu_set_t> cores_;  // that each may run on
  std::unique_ptr<LlamaRuntime> runtime_;
  NoLogits no_logits_;
};

TEST_F(LlamaThreads, AllMayRunWhereTheyMightBefore) {
  put_on_one_core();
  for (int i = 0; i < 20; ++i) pass();
  for (const auto& [thread, before] : cores_) {
    const cpu_set_t after = cores_of(thread);
    EXPECT_TRUE(CPU_EQUAL(&after, &before)) << thread;
  }
}

}  // namespace
}  // namespace sluice::llamacpp
