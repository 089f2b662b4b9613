#include "http/request_id.h"

#include <gtest/gtest.h>

#include <set>

#include "base/limits.h"

namespace sluice::http {
namespace {

TEST(RequestId, OfTheClientIsUsedWhereItIsShortVisibleAscii) {
  EXPECT_TRUE(usable_request_id("req-1/{}~!"));
  EXPECT_TRUE(usable_request_id(std::string(limits::request_id_bytes_max, 'x')));
  EXPECT_FALSE(usable_request_id(std::string(limits::request_id_bytes_max + 1, 'x')));
  for (const auto* bad : {"", "a b", "a\"b", "a\\b", "a\tb", "a\nb", "\x7f", "é"})
    EXPECT_FALSE(usable_request_id(bad)) << bad;
}

TEST(RequestId, IsMadeOf128BitsThatDiffer) {
  RequestIds one;
  RequestIds other;
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    seen.insert(one.make());
    seen.insert(other.make());
  }
  EXPECT_EQ(seen.size(), 200u);
  EXPECT_EQ(seen.begin()->size(), 32u);
  EXPECT_EQ(seen.begin()->find_first_not_of("0123456789abcdef"), std::string::npos);
}

}  // namespace
}  // namespace sluice::http
