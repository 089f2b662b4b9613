// The body's fields about the request itself: class, priority, service_tier; timeout; what names a session. Refuses to
// know headers and keys. Thread: any. Internal to api/openai.
#pragma once

#include "api/openai/fields.h"
#include "api/terms.h"

namespace sluice::api::openai {

void parse_terms(Fields& fields, Terms& terms);

}  // namespace sluice::api::openai
