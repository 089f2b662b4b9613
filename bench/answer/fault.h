// What can be wrong with an answer, as names that results count. Refuses to know where a fault was seen.
// Thread: any (values).
#pragma once

#include <cstdint>
#include <string_view>

namespace sluice::bench {

enum class Fault : uint8_t {
  unreachable,        // no connection
  reset,              // the connection broke before an answer came
  cut_short,          // it was closed in the middle of the answer, perhaps in the middle of a chunk
  timed_out,          // nothing came for too long
  endless,            // it did not end
  not_http,           // what came is not HTTP/1.1
  refused,            // a status of 4xx or 5xx
  error_event,        // an error inside the stream
  unreadable_event,   // an event that is not JSON, or not of the API's shape
  no_content,         // not a byte of text
  wrong_token_count,  // not as many tokens as were asked for
  over_reported,      // usage says more tokens than the events and their text can hold
  from_cache,         // a part of the prompt was not computed, and should have been
  no_usage,           // tokens are counted by events
  no_done,            // the stream ended without "[DONE]"
  no_finish_reason,
};
inline constexpr int kFaults = 16;

enum class Gravity : uint8_t {
  noted,   // the figures stand
  voids,   // the answer is not what was meant: its sample is void
  failure  // there is no answer
};

std::string_view name_of(Fault fault);
Gravity gravity_of(Fault fault);

}  // namespace sluice::bench
