#include "bench/wire/address.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>

#include "http/url.h"

namespace sluice::bench {
namespace {

std::string head_of(std::string_view method, const Address& address, std::string_view path,
                    const std::vector<http::Header>& headers) {
  std::string head(method);
  head.append(" ").append(address.prefix).append(path).append(" HTTP/1.1\r\nHost: ").append(address.host_header);
  head.append("\r\nConnection: close\r\n");
  for (const http::Header& header : headers) head.append(header.name).append(": ").append(header.value).append("\r\n");
  return head;
}

}  // namespace

Result<Address> resolve(const std::string& url) {
  const auto parsed = http::parse_url(url);
  if (!parsed) return std::unexpected(parsed.error());
  boost::asio::io_context io;
  boost::system::error_code ec;
  const auto found = boost::asio::ip::tcp::resolver(io).resolve(parsed->host, std::to_string(parsed->port), ec);
  if (ec || found.empty()) return fail(ErrorCode::io, "cannot find " + parsed->host + ": " + ec.message());
  std::string prefix = parsed->target;
  while (prefix.ends_with('/')) prefix.pop_back();
  if (prefix.ends_with("/v1")) prefix.resize(prefix.size() - 3);
  // "localhost" is both; servers mostly listen on the older one.
  auto chosen = std::ranges::find_if(found, [](const auto& entry) { return entry.endpoint().address().is_v4(); });
  if (chosen == found.end()) chosen = found.begin();
  return Address{chosen->endpoint(), parsed->host_header(), prefix};
}

std::string get_request(const Address& address, std::string_view path, const std::vector<http::Header>& headers) {
  return head_of("GET", address, path, headers) + "\r\n";
}

std::string post_request(const Address& address, std::string_view path, const std::vector<http::Header>& headers,
                         std::string_view body) {
  std::string request = head_of("POST", address, path, headers);
  request.append("Content-Type: application/json\r\nContent-Length: ").append(std::to_string(body.size()));
  return request.append("\r\n\r\n").append(body);
}

}  // namespace sluice::bench
