// POST /v1/chat/completions and /v1/completions: from a call to a running Answer, or the limit that refuses
// it: before any process is asked. Thread: core.
#pragma once

#include "admission/admission.h"
#include "api/backend.h"
#include "api/call.h"
#include "api/openai/form.h"

namespace sluice::api::openai {

struct Daemon {
  Backend& backend;
  admission::Admission& admission;
};

void serve(const Daemon& daemon, Endpoint endpoint, const CallPtr& call, const admission::AccountPtr& caller);

}  // namespace sluice::api::openai
