#include "bench/run/summary.h"

#include <gmock/gmock.h>

#include "bench/run/progress.h"

namespace sluice::bench {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

Sample sample(uint32_t row, uint32_t round, double rate, SampleState state = SampleState::ok) {
  Sample made;
  made.row = row;
  made.round = round;
  made.state = state;
  made.figures = {{"tokens_per_s", rate}, {"ttft_ms_p50", 1000 / rate}};
  return made;
}

TEST(Summary, OnlySamplesThatCountAreCounted) {
  const std::vector<Sample> samples = {sample(0, 0, 999, SampleState::warm_up), sample(0, 1, 100), sample(0, 2, 110),
                                       sample(0, 3, 120), sample(0, 4, 5, SampleState::disturbed)};
  const auto summaries = summarize(samples, 1, "tokens_per_s", 1);
  ASSERT_EQ(summaries.size(), 2u);
  EXPECT_EQ(summaries[0].figure, "tokens_per_s");
  EXPECT_EQ(summaries[0].samples, 3u);
  EXPECT_EQ(summaries[0].median, 110);
  EXPECT_EQ(summaries[0].min, 100);
  EXPECT_EQ(summaries[0].max, 120);
  EXPECT_EQ(summaries[0].unit, "tok/s");
  EXPECT_EQ(summaries[0].dropped, (std::map<std::string, uint32_t>{{"disturbed", 1}}));
  EXPECT_FALSE(summaries[0].ratio) << "the first row is what others are compared with";
}

TEST(Summary, ARatioNeedsBothOfAPair) {
  const std::vector<Sample> samples = {sample(0, 1, 100), sample(1, 1, 120), sample(0, 2, 50, SampleState::disturbed),
                                       sample(1, 2, 500), sample(0, 3, 200), sample(1, 3, 240)};
  const auto summaries = summarize(samples, 2, "tokens_per_s", 1);
  const auto& second = summaries[2];
  EXPECT_EQ(second.row, 1u);
  ASSERT_TRUE(second.ratio);
  EXPECT_NEAR(*second.ratio, 1.2, 1e-9) << "the drift from 100 to 200 is in both";
  EXPECT_EQ(second.samples, 3u);
}

TEST(Summary, ARowThatNeverCountedIsStillThere) {
  const std::vector<Sample> samples = {sample(0, 1, 100), sample(1, 1, 0, SampleState::failed)};
  const auto summaries = summarize(samples, 3, "tokens_per_s", 1);
  ASSERT_EQ(summaries.size(), 4u);
  EXPECT_EQ(summaries[2].samples, 0u);
  EXPECT_EQ(summaries[2].dropped.at("failed"), 1u);
  EXPECT_EQ(summaries[3].row, 2u);
  EXPECT_FALSE(summaries[3].ratio);
}

TEST(Progress, SaysTheShareAndTheTimeLeft) {
  EXPECT_THAT(progress_line(0, 10, 0s, "decode"), HasSubstr("  0 %  decode"));
  EXPECT_THAT(progress_line(5, 10, 60s, "decode"), HasSubstr(" 50 %  decode · 60 s left"));
  EXPECT_THAT(progress_line(1, 10, 60s, "x"), HasSubstr("9 min left"));
  EXPECT_THAT(progress_line(10, 10, 60s, "x"), HasSubstr("100 %"));
}

}  // namespace
}  // namespace sluice::bench
