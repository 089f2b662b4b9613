#include "api/answer_figures.h"

#include <algorithm>

namespace sluice::api {
namespace {

// The worker counts what it drew; a token whose text was never sent is among them.
uint32_t completion_tokens(const PartFigures& part) {
  return part.finished ? part.finished->usage.completion_tokens : part.tokens;
}

void fill_times(telemetry::AccessEntry& entry, std::span<const PartFigures> parts) {
  Duration queued{}, prefill{}, decode{};
  double computed = 0, decoded = 0;
  for (const PartFigures& part : parts) {
    if (!part.finished) continue;
    const Timings& timings = part.finished->timings;
    const Usage& usage = part.finished->usage;
    queued = std::max(queued, timings.queued);
    prefill += timings.prefill;
    decode = std::max(decode, timings.decode);
    computed += usage.prompt_tokens - usage.cached_tokens;
    decoded += usage.completion_tokens > 0 ? usage.completion_tokens - 1 : 0;  // the first token ends the prefill
    entry.queued = queued;
  }
  if (prefill > Duration{}) entry.prefill_rate = computed / to_seconds(prefill);
  if (decode > Duration{}) entry.decode_rate = decoded / to_seconds(decode);
}

}  // namespace

Usage usage_of(std::span<const PartFigures> parts, uint32_t n) {
  Usage sum;
  for (size_t i = 0; i < parts.size(); ++i) {
    sum.completion_tokens += completion_tokens(parts[i]);
    if (i % n != 0) continue;
    sum.prompt_tokens += parts[i].prompt_tokens.value_or(0);
    sum.cached_tokens += parts[i].cached_tokens;
  }
  return sum;
}

Usage fill(telemetry::AccessEntry& entry, std::span<const PartFigures> parts, uint32_t n) {
  const Usage usage = usage_of(parts, n);
  const bool started = !parts.empty() && parts.front().prompt_tokens.has_value();
  if (started) {
    entry.prompt_tokens = usage.prompt_tokens;
    entry.cached_tokens = usage.cached_tokens;
    entry.completion_tokens = usage.completion_tokens;
  }
  fill_times(entry, parts);
  for (const PartFigures& part : parts) {
    if (!part.finished) continue;
    if (part.finished->reason == FinishReason::deadline) entry.late = true;
    const std::string_view reason = name_of(part.finished->reason);
    if (entry.finish.find(reason) != std::string::npos) continue;
    if (!entry.finish.empty()) entry.finish += ',';
    entry.finish += reason;
  }
  return usage;
}

}  // namespace sluice::api
