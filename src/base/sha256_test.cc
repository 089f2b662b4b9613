#include "base/sha256.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

constexpr const char* kAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

TEST(Sha256, IsThePublishedFunction) { EXPECT_EQ(sha256("abc").bytes, sha256_of_hex(kAbc)->bytes); }

TEST(Sha256, HexIsTakenInEitherCaseAndAtNoOtherLength) {
  std::string upper = kAbc;
  for (char& c : upper) c = static_cast<char>(std::toupper(c));
  EXPECT_EQ(sha256_of_hex(upper)->bytes, sha256("abc").bytes);
  for (const std::string& wrong : {std::string(), std::string(63, '0'), std::string(65, '0'), std::string(64, 'g')}) {
    EXPECT_FALSE(sha256_of_hex(wrong)) << wrong;
  }
}

TEST(Sha256, OneBitMakesADifference) {
  Sha256 other = sha256("abc");
  EXPECT_TRUE(same_in_constant_time(other, sha256("abc")));
  other.bytes.back() ^= 1;
  EXPECT_FALSE(same_in_constant_time(other, sha256("abc")));
}

}  // namespace
}  // namespace sluice
