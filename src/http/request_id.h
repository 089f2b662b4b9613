// Names requests: the client's own name where it is fit for logs and headers, else 128 random bits in hex. Refuses to
// know where the name is shown. Thread: one at a time.
#pragma once

#include <random>
#include <string>
#include <string_view>

namespace sluice::http {

// 1 .. limits::request_id_bytes_max bytes of visible ASCII without quotes and backslashes: what can go into a header
// and a log line as it is.
bool usable_request_id(std::string_view id);

class RequestIds final {
 public:
  std::string make();  // 32 hexadecimal digits

 private:
  std::random_device random_;
};

}  // namespace sluice::http
