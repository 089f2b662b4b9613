// One line a request, in `key=value` form, on stderr through the `log` thread. Refuses to know HTTP and generations:
// the api fills an entry. Thread: core (formats); the line is written by `log`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/time.h"

namespace sluice::telemetry {

struct AccessEntry {
  std::string request_id, method, route, model, cls, key_label, finish, error_code;
  int status = 0;     // 499: the client left before the answer
  bool late = false;  // the time that it gave its answer was over before that was whole
  std::optional<uint32_t> prompt_tokens, cached_tokens, completion_tokens;
  std::optional<Duration> queued, first_token, total;
  std::optional<double> prefill_rate, decode_rate;  // tokens/s
};

std::string format(const AccessEntry& entry);  // absent values are left out; values with spaces are quoted

}  // namespace sluice::telemetry
