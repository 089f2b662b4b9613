// Which addresses a server may listen on, and which of them only this machine can reach. Refuses to resolve names.
// Thread: any.
#pragma once

#include <string>

#include "base/error.h"

namespace sluice::config {

// "localhost" becomes 127.0.0.1; any other name is an error, because a name may mean several addresses.
Result<std::string> listen_address(const std::string& host);
bool is_loopback(const std::string& address);  // of what listen_address() gave

}  // namespace sluice::config
