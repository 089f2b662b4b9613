#include "cli/own_server.h"

#include <gtest/gtest.h>

namespace sluice::cli {
namespace {

TEST(UrlIn, TheReadyLine) {
  EXPECT_EQ(url_in("listening on http://127.0.0.1:8484 model=tiny lanes=8"), "http://127.0.0.1:8484");
  EXPECT_EQ(url_in("listening on http://[::1]:1"), "http://[::1]:1");
}

TEST(UrlIn, IsAbsentInAnyOtherLine) {
  EXPECT_EQ(url_in(""), std::nullopt);
  EXPECT_EQ(url_in("cannot load 'x'"), std::nullopt);
}

TEST(OwnServer, ThatEndsEarlyGivesItsExitCode) {
  int exit_code = 0;
  const auto server = OwnServer::start("/bin/false", {}, exit_code);
  ASSERT_FALSE(server);
  EXPECT_EQ(exit_code, 1);
  EXPECT_EQ(server.error().message, "the server ended with exit code 1 before it was ready");
}

}  // namespace
}  // namespace sluice::cli
