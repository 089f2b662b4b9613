// The bytes before an answer's body. Refuses to know sockets and who answers. Thread: any.
#pragma once

#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/http.h"

namespace sluice::http {

struct Head {
  int status = 200;
  std::string_view content_type;  // empty: no Content-Type line
  std::string_view request_id;
  std::optional<size_t> content_length;  // absent: the body is chunked, or ends with the connection
  bool chunked = false;
  bool keep_alive = true;
  bool http_1_0 = false;  // the client's version: keep-alive must be said to it
  std::time_t now = 0;    // for Date
};

std::string_view reason_of(int status);  // "Not Found"; "Unknown" for a status this program does not send
std::string format(const Head& head, const std::vector<Header>& headers);

// One chunk of a chunked body; `bytes` is not empty.
void append_chunk(std::string& out, std::string_view bytes);
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace sluice::http
