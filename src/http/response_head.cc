#include "http/response_head.h"

#include <charconv>

namespace sluice::http {
namespace {

void append_line(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

void append_date(std::string& out, std::time_t now) {
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[64];
  // The C locale's names of days and months are the ones HTTP wants; this program never sets another.
  const size_t length = std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &utc);
  append_line(out, "Date", {text, length});
}

}  // namespace

std::string_view reason_of(int status) {
  switch (status) {
    case 200: return "OK";
    case 204: return "No Content";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 413: return "Content Too Large";
    case 417: return "Expectation Failed";
    case 422: return "Unprocessable Content";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    case 505: return "HTTP Version Not Supported";
    default: return "Unknown";
  }
}

std::string format(const Head& head, const std::vector<Header>& headers) {
  std::string out = "HTTP/1.1 " + std::to_string(head.status) + ' ';
  out.append(reason_of(head.status)).append("\r\n");
  append_date(out, head.now);
  if (!head.content_type.empty()) append_line(out, "Content-Type", head.content_type);
  if (head.content_length) append_line(out, "Content-Length", std::to_string(*head.content_length));
  if (head.chunked) append_line(out, "Transfer-Encoding", "chunked");
  if (!head.keep_alive) append_line(out, "Connection", "close");
  if (head.keep_alive && head.http_1_0) append_line(out, "Connection", "keep-alive");
  append_line(out, "X-Request-Id", head.request_id);
  for (const Header& h : headers) append_line(out, h.name, h.value);
  return out.append("\r\n");
}

void append_chunk(std::string& out, std::string_view bytes) {
  char length[16];
  const auto end = std::to_chars(length, length + sizeof length, bytes.size(), 16).ptr;
  out.append(length, end).append("\r\n").append(bytes).append("\r\n");
}

}  // namespace sluice::http
