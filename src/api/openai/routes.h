// POST /v1/chat/completions and /v1/completions: from a call to a running Answer. Thread: core.
#pragma once

#include "api/backend.h"
#include "api/call.h"
#include "api/openai/form.h"

namespace sluice::api::openai {

void serve(Backend& backend, Endpoint endpoint, const CallPtr& call);

}  // namespace sluice::api::openai
