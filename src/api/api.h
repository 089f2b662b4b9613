// The whole HTTP interface of the daemon: give handle() to http::Server as its handler and error_body as its ErrorBody.
// Refuses to know sockets and processes.
//
// Thread: core. Lifetime: the daemon's; outlives the http::Server. Needs the Backend and the Admission
// for as long.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "admission/admission.h"
#include "api/backend.h"
#include "api/call.h"
#include "http/http.h"

namespace sluice::api {

class Api final {
 public:
  struct Options {
    bool metrics_open = false;  // /metrics needs no key
  };
  // `log` is told each request once, when its answer has ended; status 499: its client left before.
  Api(Backend& backend, admission::Admission& admission, Options options, AccessLog log);
  ~Api();
  void handle(std::shared_ptr<http::Exchange> exchange);
  // The body of an answer that http/ makes itself (400, 408, 413, 431, 503).
  static std::string error_body(int status, const Error& error);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sluice::api
