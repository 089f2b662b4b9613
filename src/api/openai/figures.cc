#include "api/openai/figures.h"

#include "api/json_text.h"
#include "base/check.h"

namespace sluice::api::openai {
namespace {

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

}  // namespace

std::string_view finish_reason(FinishReason reason) {
  switch (reason) {
    case FinishReason::stop: return "stop";
    case FinishReason::length: return "length";
    case FinishReason::deadline: return "deadline";  // not OpenAI's: "length" would say that the answer is too long
  }
  UNREACHABLE();
}

std::string usage_json(const Usage& usage) {
  std::string out;
  JsonObject object(out);
  object.integer("prompt_tokens", usage.prompt_tokens)
      .integer("completion_tokens", usage.completion_tokens)
      .integer("total_tokens", int64_t{usage.prompt_tokens} + usage.completion_tokens);
  JsonObject details(object.key("prompt_tokens_details"));
  details.integer("cached_tokens", usage.cached_tokens).end();
  object.end();
  return out;
}

std::string timings_json(const Usage& usage, const Timings& timings) {
  const double computed = usage.prompt_tokens - usage.cached_tokens;
  const double decoded = usage.completion_tokens > 0 ? usage.completion_tokens - 1 : 0;
  const double prompt_ms = to_ms(timings.prefill);
  const double predicted_ms = to_ms(timings.decode);
  std::string out;
  JsonObject object(out);
  object.integer("cache_n", usage.cached_tokens)
      .integer("prompt_n", int64_t{usage.prompt_tokens} - usage.cached_tokens)
      .number("prompt_ms", prompt_ms)
      .number("prompt_per_token_ms", ratio(prompt_ms, computed))
      .number("prompt_per_second", ratio(computed, prompt_ms / 1000))
      .integer("predicted_n", usage.completion_tokens)
      .number("predicted_ms", predicted_ms)
      .number("predicted_per_token_ms", ratio(predicted_ms, decoded))
      .number("predicted_per_second", ratio(decoded, predicted_ms / 1000))
      .end();
  return out;
}

}  // namespace sluice::api::openai
