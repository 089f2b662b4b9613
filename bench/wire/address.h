// Where a server listens, resolved once, and how its HTTP requests begin. Refuses to know what is asked.
// Thread: any (values).
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "http/http.h"

namespace sluice::bench {

struct Address {
  boost::asio::ip::tcp::endpoint endpoint;
  std::string host_header;
  std::string prefix;  // of every path: "" or "/openai"
};

Result<Address> resolve(const std::string& url);  // http:// only

// A whole request, for a connection of its own. `body` is JSON where there is one.
std::string get_request(const Address& address, std::string_view path, const std::vector<http::Header>& headers);
std::string post_request(const Address& address, std::string_view path, const std::vector<http::Header>& headers,
                         std::string_view body);

}  // namespace sluice::bench
