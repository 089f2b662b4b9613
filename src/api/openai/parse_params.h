// The fields that both OpenAI dialects share: sampling, lengths, streaming, and what is refused because it is not
// offered. Thread: any. Internal to api/openai.
#pragma once

#include "api/backend.h"
#include "api/openai/fields.h"
#include "api/openai/request.h"

namespace sluice::api::openai {

void parse_params(Fields& fields, const ModelShape& shape, Request& request);
void refuse_unoffered(Fields& fields);

}  // namespace sluice::api::openai
