// Durations as messages carry them: whole microseconds, of which the largest are none of ours. Refuses to know what
// they are of. Thread: any.
#pragma once

#include <string>
#include <utility>

#include "core/core.h"

namespace sluice::proto {

inline Result<Duration> duration_of(uint64_t us, std::string field) {
  constexpr auto us_max = std::chrono::duration_cast<std::chrono::microseconds>(Duration::max()).count();
  if (us > static_cast<uint64_t>(us_max))
    return fail(ErrorCode::protocol, "a duration is out of range", std::move(field));
  return std::chrono::duration_cast<Duration>(std::chrono::microseconds(us));
}

template <class Message>
void set_timings(const Timings& timings, Message& message) {
  message.set_queued_us(us_of(timings.queued));
  message.set_prefill_us(us_of(timings.prefill));
  message.set_decode_us(us_of(timings.decode));
}

// `of` is what an error calls the message.
template <class Message>
Result<Timings> timings_of(const Message& message, const std::string& of) {
  const auto queued = duration_of(message.queued_us(), of + ".queued_us");
  if (!queued) return std::unexpected(queued.error());
  const auto prefill = duration_of(message.prefill_us(), of + ".prefill_us");
  if (!prefill) return std::unexpected(prefill.error());
  const auto decode = duration_of(message.decode_us(), of + ".decode_us");
  if (!decode) return std::unexpected(decode.error());
  return Timings{*queued, *prefill, *decode};
}

}  // namespace sluice::proto
