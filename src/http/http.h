// An HTTP request and the ways to answer it, free of any library's types, so that only http/*.cc pays for Beast.
// Refuses to know routes and JSON. Thread: core.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"

namespace sluice::http {

enum class Method : uint8_t { get, post, head, options, put, patch, del, other };
std::string_view name_of(Method method);  // "GET"; "OTHER" where the method has no name here

struct Header {
  std::string name;  // as sent
  std::string value;
};

struct Request {
  Method method = Method::get;
  std::string path;   // decoded, without query
  std::string query;  // raw
  std::vector<Header> headers;
  std::string body;
  std::string id;    // the client's X-Request-Id where it sent a usable one, else made here; always in the answer
  std::string peer;  // address:port
  TimePoint received;
  std::optional<std::string_view> header(std::string_view name) const;  // first match, any case
};

struct Response {
  int status = 200;
  std::vector<Header> headers;  // Content-Length, Connection, Date and X-Request-Id are added
  std::string content_type = "application/json";
  std::string body;
};

// One answer in the making; shared by the connection and the route that answers (its only owners). Exactly one of
// reply() and begin_stream() .. end_stream() is called. After the client has gone every call is ignored.
class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual const Request& request() const = 0;
  virtual void reply(Response response) = 0;
  virtual void begin_stream(int status, std::string content_type, std::vector<Header> headers) = 0;
  virtual void write(std::string chunk) = 0;  // one chunk, sent as soon as the socket takes it
  virtual void end_stream() = 0;
  // Called at most once, on core, when the client closed its connection (or reads too slowly: limits::
  // send_buffer_bytes_max) before the answer was whole. Never from within a call of this class.
  virtual void on_gone(std::function<void()> gone) = 0;
  virtual bool gone() const = 0;
};

using Handler = std::function<void(std::shared_ptr<Exchange>)>;

}  // namespace sluice::http
