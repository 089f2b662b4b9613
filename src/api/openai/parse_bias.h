// logit_bias in its two forms: {"id": bias} as OpenAI has it, and [[id, bias], ...] as llama-server has it; false is
// -infinity. Thread: any. Internal to api/openai.
#pragma once

#include <utility>
#include <vector>

#include "api/openai/fields.h"
#include "core/core.h"

namespace sluice::api::openai {

// Sorted by token, each once. `vocabulary`: ids are below it.
void parse_logit_bias(Fields& fields, uint32_t vocabulary, std::vector<std::pair<Token, float>>& out);

}  // namespace sluice::api::openai
