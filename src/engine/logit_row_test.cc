#include "engine/logit_row.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "engine/float_lanes.h"

namespace sluice::engine {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<float> random_row(size_t size, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal(0, 3);
  std::vector<float> row(size);
  for (float& logit : row) logit = normal(random);
  return row;
}

std::vector<Candidate> sorted(const std::vector<float>& row) {
  std::vector<Candidate> all;
  for (size_t i = 0; i < row.size(); ++i) {
    if (row[i] > -kInfinity) all.push_back({row[i], static_cast<Token>(i)});
  }
  std::sort(all.begin(), all.end());
  return all;
}

void expect_descends_like_a_sort(const std::vector<float>& row, size_t expected, size_t taken) {
  LogitRow logits(static_cast<uint32_t>(row.size()));
  logits.load(row, nullptr);
  const std::vector<Candidate> all = sorted(row);
  size_t visited = 0;
  if (taken > 0) {
    logits.descend(expected, [&](const Candidate& candidate) {
      EXPECT_EQ(candidate.token, all.at(visited).token) << "at " << visited << " of " << row.size();
      return ++visited < taken;
    });
  }
  EXPECT_EQ(visited, std::min(taken, all.size()));
}

TEST(LogitRow, DescendsLikeAFullSort) {
  for (const size_t size : {1, 2, 63, 64, 65, 128, 1000, 5000}) {
    const std::vector<float> row = random_row(size, size);
    for (const size_t expected : {0, 1, 7, 40, 100, 5000, 1 << 30}) {
      for (const size_t taken : {1ul, 3ul, 40ul, 500ul, size}) expect_descends_like_a_sort(row, expected, taken);
    }
  }
}

TEST(LogitRow, EqualLogitsDescendByToken) {
  expect_descends_like_a_sort(std::vector<float>(1000, 2.5f), 10, 1000);
  std::vector<float> row = random_row(2000, 5);
  for (float& logit : row) logit = std::round(logit);
  expect_descends_like_a_sort(row, 10, 2000);
}

TEST(LogitRow, InfinitiesAndNaNsHaveTheirPlace) {
  std::vector<float> row = random_row(300, 6);
  row[5] = row[70] = kInfinity;
  row[6] = row[299] = -kInfinity;
  expect_descends_like_a_sort(row, 10, 300);
  row[5] = row[7] = row[64] = std::numeric_limits<float>::quiet_NaN();
  expect_descends_like_a_sort(row, 10, 300);
  expect_descends_like_a_sort(std::vector<float>(200, -kInfinity), 10, 0);
  expect_descends_like_a_sort(std::vector<float>(200, -std::numeric_limits<float>::max()), 10, 200);
}

TEST(LogitRow, FindsTheLowestOfTheHighest) {
  for (const size_t size : {1, 64, 65, 777}) {
    std::vector<float> row = random_row(size, size + 1);
    for (const size_t at : {size - 1, size / 2, size_t{0}}) {
      row[at] = 100;
      LogitRow logits(static_cast<uint32_t>(size));
      logits.load(row, nullptr);
      EXPECT_EQ(logits.highest(), 100);
      EXPECT_EQ(logits.first_highest(), static_cast<Token>(at));
    }
  }
}

TEST(LogitRow, ARowWithoutPossibleTokenHasNoHighest) {
  LogitRow logits(3);
  const std::vector<float> row = {-kInfinity, std::numeric_limits<float>::quiet_NaN(), -kInfinity};
  logits.load(row, nullptr);
  EXPECT_EQ(logits.highest(), LogitRow::kImpossible);
  logits.descend(10, [](const Candidate&) {
    ADD_FAILURE();
    return true;
  });
}

TEST(LogitRow, TotalWeightIsTheSumOfTheWeights) {
  for (const size_t size : {1, 65, 1000, 50001}) {
    std::vector<float> row = random_row(size, size + 2);
    row[size / 3] = -kInfinity;
    row[size / 2] = 20;
    LogitRow logits(static_cast<uint32_t>(size));
    logits.load(row, nullptr);
    for (const float scale : {1.f, 0.1f, 1.7f, 30.f}) {
      double expected = 0;
      for (const float logit : row) expected += std::exp((double{logit} - 20) * scale);
      EXPECT_NEAR(logits.total_weight(scale) / expected, 1, 3e-7) << size << " tokens, scale " << scale;
    }
  }
}

TEST(LogitRow, InfiniteLogitsShareAllWeight) {
  std::vector<float> row = random_row(200, 3);
  row[3] = row[150] = kInfinity;
  LogitRow logits(200);
  logits.load(row, nullptr);
  EXPECT_NEAR(logits.total_weight(1), 2, 1e-30);
  EXPECT_EQ(logits.weight(kInfinity, 1), 1);
  EXPECT_EQ(logits.weight(5, 1), 0);
}

TEST(FloatLanes, TheExponentialIsNearTheLibrarys) {
  for (float x = 0; x > -87; x -= 0.00137f) {
    const Floats result = exp_of_negative(Floats{x, x * 0.5f, 0, x});
    EXPECT_NEAR(result[0] / std::exp(double{x}), 1, 2e-7) << x;
    EXPECT_NEAR(result[1] / std::exp(double{x * 0.5f}), 1, 2e-7) << x;
    EXPECT_EQ(result[2], 1);
  }
  const Floats tiny = exp_of_negative(Floats{-87, -1e30f, -kInfinity, std::numeric_limits<float>::quiet_NaN()});
  for (int i = 0; i < 4; ++i) EXPECT_LT(tiny[i], 1e-37f);
}

}  // namespace
}  // namespace sluice::engine
