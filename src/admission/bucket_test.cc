#include "admission/bucket.h"

#include <gtest/gtest.h>

namespace sluice::admission {
namespace {

using namespace std::chrono_literals;
constexpr TimePoint kStart{};

TEST(Bucket, IsFullAtFirstAndRefillsWithTime) {
  Bucket bucket(60, kStart);
  for (int i = 0; i < 60; ++i) {
    EXPECT_EQ(bucket.wait(kStart), 0s) << i;
    bucket.take(1, kStart);
  }
  EXPECT_EQ(bucket.wait(kStart), 1s);
  EXPECT_EQ(bucket.wait(kStart + 999ms), 1s);
  EXPECT_EQ(bucket.wait(kStart + 1s), 0s);
}

TEST(Bucket, HoldsNoMoreThanAMinutesWorth) {
  Bucket bucket(2, kStart);
  const TimePoint later = kStart + 24h;
  bucket.take(2, later);
  EXPECT_EQ(bucket.wait(later), 30s);
}

TEST(Bucket, WhatWasTakenTooMuchIsOwed) {
  Bucket bucket(60, kStart);
  bucket.take(100, kStart);
  EXPECT_EQ(bucket.wait(kStart), 41s);
  EXPECT_EQ(bucket.wait(kStart + 41s), 0s);
}

TEST(Bucket, AChangeForgivesNothing) {
  Bucket bucket(60, kStart);
  bucket.take(60, kStart);
  bucket.change(120, kStart);
  EXPECT_EQ(bucket.wait(kStart), 0s);
  bucket.take(60, kStart);
  bucket.change(60, kStart);
  EXPECT_EQ(bucket.wait(kStart), 61s);
}

}  // namespace
}  // namespace sluice::admission
