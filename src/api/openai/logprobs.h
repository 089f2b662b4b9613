// Log probabilities in OpenAI's two forms: chat's objects, and completions' parallel arrays. Refuses to know streams.
// Thread: any.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/core.h"

namespace sluice::api::openai {

std::string chat_logprobs(std::span<const TokenLogprob> tokens);
// `text_offset`: characters of the answer before the first of `tokens`; afterwards, before the one that follows.
std::string completion_logprobs(std::span<const TokenLogprob> tokens, size_t& text_offset);

}  // namespace sluice::api::openai
