// A JSON body to what it asks for. A field of a wrong type or out of range, and a field whose meaning is not offered
// and without which the answer would be wrong, is an error that names it ("messages[2].content", "logit_bias.abc");
// unknown fields are accepted; null is absent. Refuses to know HTTP. Thread: any.
#pragma once

#include <string_view>

#include "api/backend.h"
#include "api/openai/request.h"

namespace sluice::api::openai {

// Error: invalid, unsupported.
Result<Request> parse_chat(std::string_view body, const ModelShape& shape);
Result<Request> parse_completion(std::string_view body, const ModelShape& shape);

}  // namespace sluice::api::openai
