#include "tuning/cost_format.h"

#include <gtest/gtest.h>

#include "base/fnv.h"
#include "base/limits.h"
#include "tuning/test_values.h"

namespace sluice::tuning {
namespace {

// A body of the tests' own under a right first line.
std::string costs_with_head(const std::string& body, int version = kCostFormatVersion) {
  return "sluice-costs " + std::to_string(version) + " " + hex16(fnv1a(body)) + "\n" + body;
}

TEST(CostFormat, WhatIsWrittenIsRead) {
  const auto read = read_stored_costs(write(sample_costs()));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, sample_costs());
  StoredCosts nothing = sample_costs();
  nothing.costs = {};
  EXPECT_EQ(read_stored_costs(write(nothing)).value(), nothing);
}

TEST(CostFormat, EveryCutIsNoticed) {
  const std::string whole = write(sample_costs());
  for (size_t cut = 0; cut < whole.size(); ++cut) EXPECT_FALSE(read_stored_costs(whole.substr(0, cut))) << cut;
}

TEST(CostFormat, EveryFlippedBitIsNoticed) {
  const std::string whole = write(sample_costs());
  for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_FALSE(read_stored_costs(flipped)) << bit;
  }
}

TEST(CostFormat, AnotherVersionIsSaidToBeOne) {
  const auto read = read_stored_costs(costs_with_head("{}", kCostFormatVersion + 1));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "its version is not 1");
}

TEST(CostFormat, AbsurdCostsAreNamed) {
  const auto error_with = [](auto change) {
    StoredCosts stored = sample_costs();
    change(stored.costs);
    const auto read = read_stored_costs(write(stored));
    return read ? std::string("it was read") : read.error().message;
  };
  EXPECT_EQ(error_with([](Costs& c) { c.prefill.row_us = -1; }), "its prefill is missing or impossible");
  EXPECT_EQ(error_with([](Costs& c) { c.decode = {0, 0, 0, 9}; }), "its decode is missing or impossible");
  EXPECT_EQ(error_with([](Costs& c) { c.decode.samples = 0; }), "its decode is missing or impossible");
  EXPECT_EQ(error_with([](Costs& c) { c.copy.us = 3.7e9; }), "its copy is missing or impossible");
  EXPECT_EQ(error_with([](Costs& c) { c.prefill_rows = 1u << 30; }), "its prefill_rows is missing or impossible");
}

TEST(CostFormat, AFieldThatIsMissingIsNamed) {
  const std::string whole = write(sample_costs());
  std::string body = whole.substr(whole.find('\n') + 1);
  const size_t at = body.find("\"threads\"");
  ASSERT_NE(at, std::string::npos);
  body.replace(at, 9, "\"cores\"");
  EXPECT_EQ(read_stored_costs(costs_with_head(body)).error().message, "its threads is missing or impossible");
}

TEST(CostFormat, ALongFileIsNotRead) {
  EXPECT_FALSE(read_stored_costs(costs_with_head(std::string(limits::cost_file_bytes_max, ' '))));
}

}  // namespace
}  // namespace sluice::tuning
