#include "supervisor/hello.h"

#include <fmt/format.h>

#include "proto/framing.h"

namespace sluice::supervisor {
namespace {
constexpr std::string_view kAdvice = "install the daemon and its workers from one build";
}  // namespace

Result<void> check_hello(const proto::Hello& hello, std::string_view role, std::string_view build) {
  if (hello.protocol() != proto::kProtocolVersion) {
    return fail(ErrorCode::protocol, fmt::format("the {} process speaks protocol {}, this daemon speaks {}; {}", role,
                                                 hello.protocol(), proto::kProtocolVersion, kAdvice));
  }
  if (hello.build() != build) {
    return fail(ErrorCode::protocol, fmt::format("the {} process is build '{}', this daemon is '{}'; {}", role,
                                                 hello.build(), build, kAdvice));
  }
  if (hello.role() != role) {
    return fail(ErrorCode::protocol, fmt::format("the {} process says that it is a '{}'", role, hello.role()));
  }
  return {};
}

}  // namespace sluice::supervisor
