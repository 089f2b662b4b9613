// Cuts a stream of server-sent events into the data of each event, however its bytes are cut. Comments and fields other
// than `data` are skipped. Refuses to know what the data means. Thread: one at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace sluice::cli {

class SseParser final {
 public:
  // The data of the events that these bytes complete. Error: too_large (an event over limits::sse_event_bytes_max);
  // the parser is useless afterwards.
  Result<std::vector<std::string>> feed(std::string_view bytes);

 private:
  void take_line();
  void end_event();

  std::string line_;           // begun, not ended
  std::string data_;           // of the event that has begun: each data line with a newline after it
  bool after_return_ = false;  // the last byte was '\r': a '\n' now belongs to it
  std::vector<std::string> events_;
};

}  // namespace sluice::cli
