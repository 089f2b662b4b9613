#include "api/slots_route.h"

#include <utility>

namespace sluice::api {

void SlotsRoute::serve(CallPtr call) {
  asking_.push_back(std::move(call));
  if (asking_.size() == 1) backend_.look([this](const LiveView& view) { tell(view); });
}

void SlotsRoute::tell(const LiveView& view) {
  const http::Response response = slots_response(view, labels_());
  for (const CallPtr& call : std::exchange(asking_, {})) {
    if (call->exchange().gone()) {
      call->log(kClientClosedRequest);
    } else {
      call->reply(response);
    }
  }
}

}  // namespace sluice::api
