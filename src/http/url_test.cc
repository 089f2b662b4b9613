#include "http/url.h"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

TEST(Target, IsDecodedOnceAndLosesItsQuery) {
  const auto target = parse_target("/v1/models/a%2Fb%2520?x=%41");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->path, "/v1/models/a/b%20");
  EXPECT_EQ(target->query, "x=%41");
}

TEST(Target, MayBeAbsoluteOrAStar) {
  EXPECT_EQ(parse_target("http://host:1/a?b")->path, "/a");
  EXPECT_EQ(parse_target("http://host")->path, "/");
  EXPECT_EQ(parse_target("*")->path, "*");
}

TEST(Target, IsRefusedWhereItIsNoPathOrHalfEncoded) {
  for (const auto* bad : {"", "models", "/%", "/%4", "/%g0"}) EXPECT_FALSE(parse_target(bad)) << bad;
}

TEST(Url, KnowsNamesAddressesPortsAndTargets) {
  const auto plain = parse_url("http://localhost");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->host, "localhost");
  EXPECT_EQ(plain->port, 80);
  EXPECT_EQ(plain->target, "/");
  EXPECT_EQ(plain->host_header(), "localhost");
  const auto v6 = parse_url("http://[::1]:8484/v1/models?x=1");
  ASSERT_TRUE(v6);
  EXPECT_EQ(v6->host, "::1");
  EXPECT_EQ(v6->port, 8484);
  EXPECT_EQ(v6->target, "/v1/models?x=1");
  EXPECT_EQ(v6->host_header(), "[::1]:8484");
  EXPECT_EQ(parse_url("http://h?x")->target, "/?x");
}

TEST(Url, RefusesWhatItCannotReach) {
  EXPECT_EQ(parse_url("https://h/").error().code, ErrorCode::unsupported);
  for (const auto* bad : {"http://", "http://:80", "http://[::1", "http://h:0", "http://h:x", "http://h:80:80",
                          "http://h:70000", "http://[::1]x"}) {
    EXPECT_EQ(parse_url(bad).error().code, ErrorCode::invalid) << bad;
  }
}

}  // namespace
}  // namespace sluice::http
