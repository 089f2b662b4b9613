// Turns the bytes of one request into a Request, however they are cut. Says which status a bad one gets.
// Refuses to know sockets, times and what comes after the request. Thread: one at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "base/limits.h"
#include "http/http.h"

namespace sluice::http {

struct Refusal {
  int status = 400;
  Error error;
};

class RequestReader final {
 public:
  struct Bounds {
    size_t header_bytes_max = limits::header_bytes_max;
    size_t body_bytes_max = limits::body_bytes_max;
  };
  explicit RequestReader(Bounds bounds);
  ~RequestReader();

  enum class Progress : uint8_t {
    more,    // everything usable was consumed; the request is not whole
    whole,   // take() it
    broken,  // refusal() says why; the bytes after it have no meaning
  };
  struct Fed {
    size_t consumed = 0;  // the caller keeps the rest and feeds it again, with what comes then
    Progress progress = Progress::more;
  };
  Fed feed(std::string_view bytes);

  bool head_read() const;
  bool expects_continue() const;  // once head_read(): the client waits for "100 Continue" before it sends the body
  bool keep_alive() const;        // once whole
  bool http_1_0() const;
  const Refusal& refusal() const;
  // method, path, query, headers and body; the rest is the connection's to fill.
  Request take();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sluice::http
