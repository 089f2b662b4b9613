#include "cli/sse.h"

#include <utility>

#include "base/limits.h"

namespace sluice::cli {

Result<std::vector<std::string>> SseParser::feed(std::string_view bytes) {
  for (const char byte : bytes) {
    const bool second_of_pair = byte == '\n' && after_return_;
    after_return_ = byte == '\r';
    if (second_of_pair) continue;
    if (byte == '\n' || byte == '\r') {
      take_line();
    } else {
      line_ += byte;
    }
    if (line_.size() + data_.size() > limits::sse_event_bytes_max) {
      return fail(ErrorCode::too_large, "the server sent an event that is too long");
    }
  }
  return std::exchange(events_, {});
}

void SseParser::take_line() {
  constexpr std::string_view kField = "data:";
  const std::string line = std::exchange(line_, {});
  if (line.empty()) return end_event();
  if (!line.starts_with(kField)) return;
  const size_t begin = kField.size() + (line.size() > kField.size() && line[kField.size()] == ' ' ? 1 : 0);
  data_ += line.substr(begin) + '\n';
}

void SseParser::end_event() {
  if (data_.empty()) return;
  data_.pop_back();
  events_.push_back(std::exchange(data_, {}));
}

}  // namespace sluice::cli
