#include "base/fnv.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Fnv, KnownTextsGiveThePublishedNumbers) {
  EXPECT_EQ(fnv1a(""), 0xcbf29ce484222325u);
  EXPECT_EQ(fnv1a("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(fnv1a("foobar"), 0x85944171f73967e8u);
}

TEST(Fnv, PiecesGiveTheNumberOfTheWhole) { EXPECT_EQ(fnv1a("bar", fnv1a("foo")), fnv1a("foobar")); }

TEST(Fnv, ANumberIsSixteenDigits) {
  EXPECT_EQ(hex16(0), "0000000000000000");
  EXPECT_EQ(hex16(0x85944171f73967e8), "85944171f73967e8");
}

}  // namespace
}  // namespace sluice
