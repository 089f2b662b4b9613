#include <gtest/gtest.h>

#include <limits>

#include "base/limits.h"
#include "proto/convert.h"

namespace sluice::proto {
namespace {

sluice::Costs every_field() {
  return {.prefill = {3000.5, 500, 120, 40},
          .decode = {9000, 800, 0.25, 7},
          .prefill_rows = 512,
          .copy = {700, 1},
          .export_token = {2, 3},
          .import_token = {1.5, 4}};
}

Result<sluice::Costs> over_the_wire(const Costs& message) {
  Costs received;
  EXPECT_TRUE(received.ParseFromString(message.SerializeAsString()));
  return from_message(received);
}

TEST(CostsMessage, CostsArriveAsTheyWereSent) {
  EXPECT_EQ(over_the_wire(to_message(every_field())).value(), every_field());
}

TEST(CostsMessage, NothingSaidIsNothingKnown) { EXPECT_EQ(over_the_wire(Costs()).value(), sluice::Costs{}); }

TEST(CostsMessage, WhatIsOutOfRangeIsABreach) {
  const auto refused = [](auto change) {
    Costs message = to_message(every_field());
    change(message);
    const auto read = over_the_wire(message);
    return !read && read.error().code == ErrorCode::protocol;
  };
  EXPECT_TRUE(refused([](Costs& m) { m.mutable_prefill()->set_row_us(std::numeric_limits<double>::quiet_NaN()); }));
  EXPECT_TRUE(refused([](Costs& m) { m.mutable_decode()->set_pass_us(-1); }));
  EXPECT_TRUE(refused([](Costs& m) { m.mutable_decode()->set_samples(0); }));
  EXPECT_TRUE(refused([](Costs& m) { m.mutable_copy()->set_us(0); }));
  EXPECT_TRUE(refused([](Costs& m) { m.mutable_import_token()->set_us(3.7e9); }));
  EXPECT_TRUE(refused([](Costs& m) { m.mutable_export_token()->set_us(std::numeric_limits<double>::infinity()); }));
  EXPECT_TRUE(refused([](Costs& m) { m.set_prefill_rows(limits::batch_tokens_max + 1); }));
}

}  // namespace
}  // namespace sluice::proto
