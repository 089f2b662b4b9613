#include "supervisor/hello.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "proto/framing.h"

namespace sluice::supervisor {
namespace {

using testing::HasSubstr;

proto::Hello hello() {
  proto::Hello hello;
  hello.set_protocol(proto::kProtocolVersion);
  hello.set_build("b1");
  hello.set_role("worker");
  return hello;
}

TEST(Hello, OfTheSameBuildAndRoleFits) { EXPECT_TRUE(check_hello(hello(), "worker", "b1")); }

TEST(Hello, OfAnotherProtocolBuildOrRoleIsRefusedInWords) {
  proto::Hello other = hello();
  other.set_protocol(99);
  EXPECT_THAT(check_hello(other, "worker", "b1").error().message,
              HasSubstr("speaks protocol 99, this daemon speaks " + std::to_string(proto::kProtocolVersion)));
  const Error build = check_hello(hello(), "worker", "b2").error();
  EXPECT_EQ(build.code, ErrorCode::protocol);
  EXPECT_THAT(build.message, HasSubstr("is build 'b1', this daemon is 'b2'"));
  EXPECT_THAT(check_hello(hello(), "codec", "b1").error().message, HasSubstr("says that it is a 'worker'"));
}

}  // namespace
}  // namespace sluice::supervisor
