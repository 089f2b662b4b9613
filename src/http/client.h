// A small HTTP/1.1 client for our own commands: one request, its answer handed over as it comes. http:// only, one
// connection a request. Refuses to know JSON and SSE. Thread: any; blocks its caller.
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "http/http.h"

namespace sluice::http {

// Bytes of the answer's body, as they come. False: enough, the connection is closed and the call returns.
using OnBytes = std::function<bool(int status, std::string_view bytes)>;

struct ClientWaits {
  std::chrono::milliseconds connect_max{10'000};
  std::chrono::milliseconds silence_max{600'000};  // without a byte from the server
  std::stop_token stop{};                          // requested, by any thread: the call ends with `cancelled`
};

// The answer's status, whatever it is. Error: invalid or unsupported (the URL), io (cannot connect, connection lost
// before the answer was whole), timed_out, protocol (the answer is not HTTP).
Result<int> post_stream(const std::string& url, std::string body, const std::vector<Header>& headers, OnBytes on_bytes,
                        ClientWaits waits = {});
Result<int> get(const std::string& url, const std::vector<Header>& headers, OnBytes on_bytes, ClientWaits waits = {});

}  // namespace sluice::http
