// One request on its way through the api: its exchange, and the access-log entry that fills on the way. Logs exactly
// once, when the answer has ended. Refuses to know routes and dialects. Thread: core.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/backend.h"
#include "http/http.h"
#include "telemetry/access_log.h"

namespace sluice::api {

using AccessLog = std::function<void(const telemetry::AccessEntry&)>;

inline constexpr int kClientClosedRequest = 499;  // in the log only: the client left before its answer was whole

class Call final {
 public:
  // `log` and `backend` outlive the call.
  Call(std::shared_ptr<http::Exchange> exchange, Backend& backend, const AccessLog& log);

  const http::Request& request() const { return exchange_->request(); }
  http::Exchange& exchange() { return *exchange_; }
  telemetry::AccessEntry& entry() { return entry_; }

  void add_header(std::string_view name, std::string_view value);  // of whatever answer comes
  void begin_stream(std::string content_type, std::vector<http::Header> headers);
  void reply(http::Response response);  // and logs
  void log(int status);                 // the answer has ended another way

 private:
  std::shared_ptr<http::Exchange> exchange_;
  Backend& backend_;
  const AccessLog& log_;
  telemetry::AccessEntry entry_;
  std::vector<http::Header> headers_;
  bool logged_ = false;
};

using CallPtr = std::shared_ptr<Call>;

}  // namespace sluice::api
