// GET /slots: what each lane does, who waits, and for what; docs/watching.md describes the JSON. It says how much,
// never what: no text, no tokens, no keys and no names of sessions. Refuses to know where the view comes from. Thread:
// core.
#pragma once

#include <map>
#include <string>

#include "api/live_view.h"
#include "http/http.h"

namespace sluice::api {

// Of keys that have something live, by their numbers.
using KeyLabels = std::map<uint32_t, std::string>;

http::Response slots_response(const LiveView& view, const KeyLabels& labels);

}  // namespace sluice::api
