// `usage`, `timings` and finish_reason, as JSON. Refuses to know who asked. Thread: any.
#pragma once

#include <string>
#include <string_view>

#include "core/core.h"

namespace sluice::api::openai {

std::string_view finish_reason(FinishReason reason);
std::string usage_json(const Usage& usage);
// llama-server's object: prompt_* of the tokens that were computed, predicted_* of the tokens after the first.
std::string timings_json(const Usage& usage, const Timings& timings);

}  // namespace sluice::api::openai
