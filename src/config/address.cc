#include "config/address.h"

#include <arpa/inet.h>

namespace sluice::config {
namespace {

constexpr uint8_t kLoopbackNet = 127;  // 127.0.0.0/8

bool is_v4(const std::string& address, in_addr& out) { return inet_pton(AF_INET, address.c_str(), &out) == 1; }
bool is_v6(const std::string& address, in6_addr& out) { return inet_pton(AF_INET6, address.c_str(), &out) == 1; }

}  // namespace

Result<std::string> listen_address(const std::string& host) {
  if (host == "localhost") return "127.0.0.1";
  in_addr v4{};
  in6_addr v6{};
  if (is_v4(host, v4) || is_v6(host, v6)) return host;
  return fail(ErrorCode::invalid, "'" + host + "' is not an address; 127.0.0.1, ::1 or 0.0.0.0 would work", "--host");
}

bool is_loopback(const std::string& address) {
  in_addr v4{};
  if (is_v4(address, v4)) return (ntohl(v4.s_addr) >> 24) == kLoopbackNet;
  in6_addr v6{};
  return is_v6(address, v6) && IN6_IS_ADDR_LOOPBACK(&v6);
}

}  // namespace sluice::config
