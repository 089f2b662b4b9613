#include "api/call.h"

#include "base/check.h"

namespace sluice::api {

Call::Call(std::shared_ptr<http::Exchange> exchange, Backend& backend, const AccessLog& log)
    : exchange_(std::move(exchange)), backend_(backend), log_(log) {
  entry_.request_id = request().id;
  entry_.method = name_of(request().method);
}

void Call::reply(http::Response response) {
  const int status = response.status;
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
