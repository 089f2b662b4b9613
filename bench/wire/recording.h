// An answer as it came over the wire: its bytes, and when which of them arrived. Nothing is interpreted while it comes.
// Thread: any (values).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace sluice::bench {

// How the wire ended; what the answer says is another matter.
enum class WireEnd : uint8_t {
  whole,
  unreachable,  // no connection
  reset,        // the connection broke, or was closed before anything came
  cut,          // it was closed in the middle
  silent,       // nothing came for too long
  endless,      // it went on for too long
  not_http,
};
std::string_view name_of(WireEnd end);

struct Mark {
  TimePoint at;
  uint32_t body_end = 0;  // the body's size then
};

struct Recording {
  TimePoint sent;   // the connection was asked for
  TimePoint ended;  // the answer was whole, or was given up
  WireEnd end = WireEnd::unreachable;
  std::string why;           // the system's reason, where it has one
  int status = 0;            // 0: there was no head
  bool until_close = false;  // only the connection's end says where the body ends
  std::string body;
  std::vector<Mark> marks;  // of each read that brought a part of the body
};

// When the byte before `body_end` arrived. 0 < body_end <= recording.body.size().
TimePoint arrival_of(const Recording& recording, size_t body_end);

}  // namespace sluice::bench
