// GET /health: one look at the daemon, for people and for whoever decides where to send requests. 200 while it is
// ready, else 503. Refuses to know where the figures come from. Thread: core.
#pragma once

#include "api/backend.h"
#include "http/http.h"

namespace sluice::api {

// `whole`: with figures; else only the status, for callers without a key where keys are set.
http::Response health_response(const Backend& backend, bool whole);

}  // namespace sluice::api
