#include "tuning/decide.h"

#include <gtest/gtest.h>

#include "tuning/test_values.h"

namespace sluice::tuning {
namespace {

const std::string kStored = "stored tuning of 2026-11-30";

TEST(Decide, WithNothingKnownItIsMeasured) {
  const Decided decided = decide({}, {}, std::nullopt);
  EXPECT_TRUE(decided.load.tune);
  EXPECT_EQ(decided.load.flash_attention, FlashAttention::automatic);
  EXPECT_EQ(decided.load.threads, 0u);
}

TEST(Decide, AStoredTuningIsUsed) {
  const Decided decided = decide({}, {}, sample_stored());
  EXPECT_FALSE(decided.load.tune);
  EXPECT_EQ(decided.load.flash_attention, FlashAttention::off);
  EXPECT_EQ(decided.load.threads, 2u);
  EXPECT_EQ(words_of(decided), "flash attention off, 2 threads (" + kStored + ")");
}

TEST(Decide, APinIsBeforeATuning) {
  const Decided decided = decide({}, {.flash_attention = true, .threads = {}}, sample_stored());
  EXPECT_FALSE(decided.load.tune);
  EXPECT_EQ(words_of(decided), "flash attention on (pinned), 2 threads (" + kStored + ")");
}

TEST(Decide, AFlagIsBeforeAPin) {
  LoadOptions asked;
  asked.flash_attention = FlashAttention::off;
  asked.threads = 1;
  const Decided decided = decide(asked, {true, 7}, sample_stored());
  EXPECT_EQ(words_of(decided), "flash attention off (--flash-attn), 1 thread (--threads)");
  EXPECT_FALSE(decided.load.tune);
}

TEST(Decide, WhatFlagsAndPinsLeaveOpenIsMeasured) {
  LoadOptions asked;
  asked.threads = 1;
  EXPECT_TRUE(decide(asked, {}, std::nullopt).load.tune);
  EXPECT_FALSE(decide(asked, {true, {}}, std::nullopt).load.tune);
  EXPECT_FALSE(decide({}, {true, 2}, std::nullopt).load.tune);
}

TEST(Decide, WhatWasMeasuredFillsWhatWasOpen) {
  LoadOptions asked;
  asked.threads = 1;
  Decided decided = decide(asked, {}, std::nullopt);
  fill_in(decided, {true, 4}, "measured now");
  EXPECT_EQ(words_of(decided), "flash attention on (measured now), 1 thread (--threads)");
}

}  // namespace
}  // namespace sluice::tuning
