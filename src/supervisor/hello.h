// Whether a process that said Hello is the one that was wanted. Pure. Thread: any.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "proto/sluice.pb.h"

namespace sluice::supervisor {

// Error: protocol, in words for whoever installed it.
Result<void> check_hello(const proto::Hello& hello, std::string_view role, std::string_view build);

}  // namespace sluice::supervisor
