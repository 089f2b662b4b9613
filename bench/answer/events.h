// Cuts a finished body of server-sent events into the data of each event, with the place where the event ended: when
// that byte arrived, the event was there. Refuses to know clocks and what the data means. Thread: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sluice::bench {

struct StreamEvent {
  std::string data;  // its data lines, joined by '\n'
  size_t end = 0;    // bytes of the body up to and with its blank line
};

// An event without its blank line is not complete and left out. Line ends are LF, CR LF or CR.
std::vector<StreamEvent> events_of(std::string_view body);

}  // namespace sluice::bench
