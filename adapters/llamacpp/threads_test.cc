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

std::vector<int> cores_of(pid_t thread) {
  cpu_set_t set;
  CPU_ZERO(&set);
  EXPECT_EQ(sched_getaffinity(thread, sizeof set, &set), 0);
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  }
  return cores;
}

void keep_on(pid_t thread, const std::vector<int>& cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : cores) CPU_SET(core, &set);
  ASSERT_EQ(sched_setaffinity(thread, sizeof set, &set), 0);
}

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
    if (cores_of(0).size() < 2) GTEST_SKIP() << "this machine gives us one core";
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
    const int core = cores_of(0).front();
    for (const auto& [thread, cores] : cores_) keep_on(thread, {core});
    pass();
    for (const auto& [thread, cores] : cores_) keep_on(thread, cores);
  }

  std::map<pid_t, std::vector<int>> cores_;  // that each may run on
  std::unique_ptr<LlamaRuntime> runtime_;
  NoLogits no_logits_;
};

TEST_F(LlamaThreads, AllMayRunWhereTheyMightBefore) {
  put_on_one_core();
  for (int i = 0; i < 20; ++i) pass();
  for (const auto& [thread, cores] : cores_) EXPECT_EQ(cores_of(thread), cores);
}

}  // namespace
}  // namespace sluice::llamacpp
