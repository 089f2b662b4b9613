#include "worker/tuning_message.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "supervisor/tuning_message.h"

namespace sluice::worker {
namespace {

using namespace std::chrono_literals;

Tuning sample() {
  Tuning tuning;
  tuning.choice = {true, 3};
  tuning.candidates = {{{false, 4}, {500ms, 9500us, 27ms, 14ms, 72ms}}, {{true, 3}, {400ms, 9ms, 26ms, 13ms, 71ms}}};
  tuning.lanes = 8;
  tuning.prompt_rows = 256;
  tuning.shallow_tokens = 64;
  tuning.deep_tokens = 2048;
  tuning.took = 3500ms;
  tuning.remark = "half of it";
  return tuning;
}

TEST(TuningMessage, ATuningArrivesAsItWasSent) {
  const auto arrived = supervisor::tuning_of(tuning_message(sample()));
  ASSERT_TRUE(arrived) << arrived.error().message;
  EXPECT_EQ(*arrived, sample());
}

TEST(TuningMessage, ALongRemarkIsCutWhereItIsSent) {
  Tuning tuning = sample();
  tuning.remark.assign(limits::tuning_remark_bytes_max + 1, 'x');
  EXPECT_TRUE(supervisor::tuning_of(tuning_message(tuning)));
}

TEST(TuningMessage, WhatIsOutOfRangeIsABreach) {
  const auto refused = [](auto change) {
    proto::Tuning message = tuning_message(sample());
    change(message);
    const auto read = supervisor::tuning_of(message);
    return !read && read.error().code == ErrorCode::protocol;
  };
  EXPECT_TRUE(refused([](auto& m) { m.mutable_choice()->set_threads(0); }));
  EXPECT_TRUE(refused([](auto& m) { m.mutable_choice()->set_threads(limits::threads_max + 1); }));
  EXPECT_TRUE(refused([](auto& m) { m.mutable_candidates(1)->mutable_choice()->set_threads(0); }));
  EXPECT_TRUE(refused([](auto& m) { m.set_lanes(0); }));
  EXPECT_TRUE(refused([](auto& m) { m.set_prompt_rows(0); }));
  EXPECT_TRUE(refused([](auto& m) { m.set_remark(std::string(limits::tuning_remark_bytes_max + 1, 'x')); }));
  EXPECT_TRUE(refused([](auto& m) {
    for (size_t i = 0; i < limits::tuning_candidates_max; ++i) *m.add_candidates() = m.candidates(0);
  }));
}

}  // namespace
}  // namespace sluice::worker
