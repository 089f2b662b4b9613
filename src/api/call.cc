#include "api/call.h"

#include "base/check.h"

namespace sluice::api {

Call::Call(std::shared_ptr<http::Exchange> exchange, Backend& backend, const AccessLog& log)
    : exchange_(std::move(exchange)), backend_(backend), log_(log) {
  entry_.request_id = request().id;
  entry_.method = name_of(request().method);
}

void Call::add_header(std::string_view name, std::string_view value) {
  headers_.push_back({std::string(name), std::string(value)});
}

void Call::begin_stream(std::string content_type, std::vector<http::Header> headers) {
  headers.insert(headers.end(), headers_.begin(), headers_.end());
  exchange_->begin_stream(200, std::move(content_type), std::move(headers));
}

void Call::reply(http::Response response) {
  const int status = response.status;
  response.headers.insert(response.headers.end(), headers_.begin(), headers_.end());
  exchange_->reply(std::move(response));
  log(status);
}

void Call::log(int status) {
  CHECK(!logged_);
  logged_ = true;
  entry_.status = status;
  entry_.total = backend_.now() - request().received;
  log_(entry_);
}

}  // namespace sluice::api
