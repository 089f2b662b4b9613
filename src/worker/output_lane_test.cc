#include "worker/output_lane.h"

#include <gtest/gtest.h>

namespace sluice::worker {
namespace {

class Letters final : public TokenBytes {
 public:
  uint32_t size() const override { return 26; }
  std::string_view bytes_of(Token token) const override {
    return std::string_view("abcdefghijklmnopqrstuvwxyz").substr(token, 1);
  }
};

TimePoint at(int ms) { return TimePoint(std::chrono::milliseconds(ms)); }
Choice choose(Token token) { return {token, -0.5f, {{token, -0.5f}, {25, -2}}}; }

TEST(OutputLane, TimesRunFromSubmitToLaneToFirstToLastToken) {
  OutputLane lane({}, false, at(10));
  lane.start(at(15));
  lane.add(choose(0), false, Letters(), at(40));
  lane.add(choose(1), false, Letters(), at(50));
  lane.add(choose(2), false, Letters(), at(90));
  const Timings timings = lane.finish(FinishReason::length, {}).timings;
  EXPECT_EQ(timings.queued, std::chrono::milliseconds(5));
  EXPECT_EQ(timings.prefill, std::chrono::milliseconds(25));
  EXPECT_EQ(timings.decode, std::chrono::milliseconds(50));
}

TEST(OutputLane, AnAnswerWithoutTokensTookOnlyItsQueue) {
  OutputLane lane({}, false, at(10));
  lane.start(at(15));
  const Timings timings = lane.finish(FinishReason::stop, {}).timings;
  EXPECT_EQ(timings.prefill, Duration::zero());
  EXPECT_EQ(timings.decode, Duration::zero());
}

TEST(OutputLane, WhatHasNotEndedGoesOnUntilNow) {
  using namespace std::chrono_literals;
  OutputLane lane({}, false, at(10));
  EXPECT_EQ(lane.timings_until(at(14)).queued, 4ms);
  lane.start(at(15));
  EXPECT_EQ(lane.timings_until(at(35)).queued, 5ms);
  EXPECT_EQ(lane.timings_until(at(35)).prefill, 20ms);
  lane.add(choose(0), false, Letters(), at(40));
  lane.add(choose(1), false, Letters(), at(50));
  EXPECT_EQ(lane.timings_until(at(90)).prefill, 25ms);
  EXPECT_EQ(lane.timings_until(at(90)).decode, 10ms) << "to the last token, so that a rate is of what was said";
}

TEST(OutputLane, TokensBehindAStopStringAreNotPartOfTheAnswer) {
  OutputLane lane({"b"}, true, at(0));
  for (Token token = 0; token < 4; ++token) lane.add(choose(token), false, Letters(), at(token));
  EXPECT_TRUE(lane.stopped());
  const auto output = lane.take_output();
  ASSERT_TRUE(output);
  EXPECT_EQ(output->text, "a");
  EXPECT_EQ(output->tokens, (std::vector<Token>{0, 1}));
  EXPECT_EQ(output->logprobs.size(), 2u);
  EXPECT_EQ(lane.finish(FinishReason::length, {}).stop_string, "b");
  EXPECT_FALSE(lane.take_output());
}

TEST(OutputLane, AnEndTokenIsATokenWithoutText) {
  OutputLane lane({}, false, at(0));
  lane.add(choose(3), true, Letters(), at(1));
  const auto output = lane.take_output();
  ASSERT_TRUE(output);
  EXPECT_EQ(output->text, "");
  EXPECT_EQ(output->tokens, std::vector<Token>{3});
}

TEST(OutputLane, LogprobsCarryTheBytesOfEveryAlternative) {
  OutputLane lane({}, true, at(0));
  lane.add(choose(4), false, Letters(), at(1));
  const auto output = lane.take_output();
  ASSERT_EQ(output->logprobs.size(), 1u);
  EXPECT_EQ(output->logprobs[0].bytes, "e");
  ASSERT_EQ(output->logprobs[0].top.size(), 2u);
  EXPECT_EQ(output->logprobs[0].top[1].bytes, "z");
  EXPECT_EQ(output->logprobs[0].top[1].logprob, -2);
}

}  // namespace
}  // namespace sluice::worker
