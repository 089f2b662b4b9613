// What POST /v1/chat/completions and /v1/completions ask for, parsed and checked. Refuses to know JSON. Thread: any.
#pragma once

#include <string>

#include "api/answer_form.h"
#include "api/terms.h"

namespace sluice::api::openai {

struct Request {
  std::string model;  // empty: whatever is served
  Wish wish;
  Terms terms;                 // of the body alone
  bool include_usage = false;  // stream_options.include_usage
};

}  // namespace sluice::api::openai
