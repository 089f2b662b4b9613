#include "bench/answer/events.h"

#include <algorithm>
#include <utility>

namespace sluice::bench {
namespace {

struct Line {
  std::string_view text;
  size_t end = 0;  // after its line end
};

// Absent text (end == npos): the rest has no line end.
Line line_at(std::string_view body, size_t at) {
  const size_t end = body.find_first_of("\r\n", at);
  if (end == std::string_view::npos) return {{}, std::string_view::npos};
  const bool pair = body[end] == '\r' && end + 1 < body.size() && body[end + 1] == '\n';
  return {body.substr(at, end - at), end + (pair ? 2 : 1)};
}

}  // namespace

std::vector<StreamEvent> events_of(std::string_view body) {
  constexpr std::string_view kField = "data:";
  std::vector<StreamEvent> events;
  std::string data;
  bool has_data = false;
  for (Line line = line_at(body, 0); line.end != std::string_view::npos; line = line_at(body, line.end)) {
    if (line.text.empty()) {
      if (std::exchange(has_data, false)) events.push_back({std::exchange(data, {}), line.end});
    } else if (line.text.starts_with(kField)) {
      line.text.remove_prefix(kField.size());
      if (line.text.starts_with(' ')) line.text.remove_prefix(1);
      if (std::exchange(has_data, true)) data += '\n';
      data += line.text;
    }
  }
  return events;
}

}  // namespace sluice::bench
