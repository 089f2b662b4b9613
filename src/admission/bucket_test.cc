#include "admission/bucket.h"

#include <gtest/gtest.h>

namespace sluice::admission {
namespace {

using namespace std::chrono_literals;
constexpr TimePoint kBegin{};

TEST(Bucket, IsFullAtFirstAndRefillsWithTime) {
  Bucket bucket(60, kBegin);
  for (int i = 0; i < 60; ++i) {
    EXPECT_EQ(bucket.wait(kBegin), 0s) << i;
    bucket.take(1, kBegin);
  }
  EXPECT_EQ(bucket.wait(kBegin), 1s);
  EXPECT_EQ(bucket.wait(kBegin + 999ms), 1s);
  EXPECT_EQ(bucket.wait(kBegin + 1s), 0s);
}

TEST(Bucket, HoldsNoMoreThanAMinutesWorth) {
  Bucket bucket(2, kBegin);
  const TimePoint later = kBegin + 24h;
  bucket.take(2, later);
  EXPECT_EQ(bucket.wait(later), 30s);
}

TEST(Bucket, WhatWasTakenTooMuchIsOwed) {
  Bucket bucket(60, kBegin);
  bucket.take(100, kBegin);
  EXPECT_EQ(bucket.wait(kBegin), 41s);
  EXPECT_EQ(bucket.wait(kBegin + 41s), 0s);
}

TEST(Bucket, WhatIsGivenBackIsThereAgain) {
  Bucket bucket(60, kBegin);
  bucket.take(100, kBegin);
  bucket.give_back(100, kBegin);
  bucket.take(60, kBegin);
  EXPECT_EQ(bucket.wait(kBegin), 1s);
}

TEST(Bucket, WhatIsGivenBackAfterItHasRefilledIsNoMoreThanAMinutesWorth) {
  Bucket bucket(60, kBegin);
  const TimePoint later = kBegin + 1h;
  bucket.take(50, kBegin);
  bucket.give_back(50, later);
  bucket.take(60, later);
  EXPECT_EQ(bucket.wait(later), 1s);
}

TEST(Bucket, AChangeForgivesNothing) {
  Bucket bucket(60, kBegin);
  bucket.take(60, kBegin);
  bucket.change(120, kBegin);
  EXPECT_EQ(bucket.wait(kBegin), 0s);
  bucket.take(60, kBegin);
  bucket.change(60, kBegin);
  EXPECT_EQ(bucket.wait(kBegin), 61s);
}

}  // namespace
}  // namespace sluice::admission
