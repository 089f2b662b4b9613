// The parts of request targets and of http:// addresses that this program needs. Refuses to know sockets. Thread: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace sluice::http {

struct Target {
  std::string path;   // percent-decoded
  std::string query;  // raw, without '?'
};
// Origin form ("/v1/models?x=1"), absolute form ("http://host/v1/models") or "*". Error: invalid.
Result<Target> parse_target(std::string_view target);

struct Url {
  std::string host;  // a name or an address; an IPv6 literal without its brackets
  uint16_t port = 80;
  std::string target = "/";  // path and query, as written
  std::string host_header() const;
};
Result<Url> parse_url(std::string_view url);  // http:// only. Error: invalid, unsupported

}  // namespace sluice::http
