#include "bench/wire/framing.h"

#include <algorithm>
#include <charconv>

#include "base/check.h"
#include "base/limits.h"

namespace sluice::bench {
namespace {

constexpr std::string_view kHeadEnd = "\r\n\r\n";
constexpr size_t kChunkLineMax = 1024;

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, [](unsigned char c) { return std::tolower(c); });
}

std::string_view trimmed(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  const size_t end = text.find_last_not_of(" \t\r");
  return end == std::string_view::npos ? std::string_view{} : text.substr(begin, end + 1 - begin);
}

template <class Number>
std::optional<Number> number(std::string_view text, int base = 10) {
  Number value{};
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || rest == text.data()) return std::nullopt;
  return value;
}

}  // namespace

std::string_view header_value(std::string_view head, std::string_view name) {
  for (size_t at = head.find('\n'); at != std::string_view::npos; at = head.find('\n', at + 1)) {
    const std::string_view line = head.substr(at + 1, head.find('\n', at + 1) - at - 1);
    const size_t colon = line.find(':');
    if (colon != std::string_view::npos && equal_ignoring_case(line.substr(0, colon), name)) {
      return trimmed(line.substr(colon + 1));
    }
  }
  return {};
}

FramingState ResponseFraming::feed(std::string_view bytes, std::string& body) {
  while (!bytes.empty() && (state_ == FramingState::head || state_ == FramingState::body)) {
    if (state_ == FramingState::head) {
      bytes = take_head(bytes);
    } else {
      bytes = chunked_ ? take_chunked(bytes, body) : take_counted(bytes, body);
    }
  }
  return state_;
}

FramingState ResponseFraming::on_close() {
  if (state_ == FramingState::body && !chunked_ && !left_) state_ = FramingState::whole;
  return state_;
}

std::string_view ResponseFraming::take_head(std::string_view bytes) {
  const size_t searched = head_.size() < kHeadEnd.size() ? 0 : head_.size() - kHeadEnd.size();
  const size_t had = head_.size();
  head_.append(bytes.substr(0, limits::header_bytes_max + kHeadEnd.size()));
  const size_t end = head_.find(kHeadEnd, searched);
  if (end == std::string::npos) {
    if (head_.size() > limits::header_bytes_max) state_ = FramingState::broken;
    return {};
  }
  head_.resize(end + kHeadEnd.size());
  bytes.remove_prefix(head_.size() - had);
  read_head();
  return bytes;
}

void ResponseFraming::read_head() {
  const std::string_view head = head_;
  const auto status = head.starts_with("HTTP/1.") && head.size() > 9 ? number<int>(head.substr(9)) : std::nullopt;
  if (!status) {
    state_ = FramingState::broken;
    return;
  }
  if (*status / 100 == 1) return head_.clear();  // an interim response: the real one follows
  status_ = *status;
  state_ = FramingState::body;
  chunked_ = equal_ignoring_case(header_value(head, "transfer-encoding"), "chunked");
  if (chunked_) return;
  left_ = number<uint64_t>(header_value(head, "content-length"));
  counted_ = left_.has_value();
  if (left_ == 0 || status_ == 204 || status_ == 304) state_ = FramingState::whole;
}

std::string_view ResponseFraming::take_counted(std::string_view bytes, std::string& body) {
  const size_t taken = left_ ? static_cast<size_t>(std::min<uint64_t>(*left_, bytes.size())) : bytes.size();
  body.append(bytes.substr(0, taken));
  if (left_ && (*left_ -= taken) == 0) state_ = FramingState::whole;
  return bytes.substr(taken);
}

std::string_view ResponseFraming::take_chunked(std::string_view bytes, std::string& body) {
  if (part_ != Part::data) return take_chunk_line(bytes);
  const size_t taken = static_cast<size_t>(std::min<uint64_t>(*left_, bytes.size()));
  body.append(bytes.substr(0, taken));
  if ((*left_ -= taken) == 0) part_ = Part::line_after_data;
  return bytes.substr(taken);
}

std::string_view ResponseFraming::take_chunk_line(std::string_view bytes) {
  const size_t end = bytes.find('\n');
  line_.append(bytes.substr(0, end));
  if (line_.size() > kChunkLineMax) state_ = FramingState::broken;
  if (end == std::string_view::npos) return {};
  on_chunk_line();
  line_.clear();
  return bytes.substr(end + 1);
}

void ResponseFraming::on_chunk_line() {
  const std::string_view line = trimmed(line_);
  switch (part_) {
    case Part::length_line:
      left_ = number<uint64_t>(line, 16);
      if (!left_) {
        state_ = FramingState::broken;
      } else {
        part_ = *left_ == 0 ? Part::trailer : Part::data;
      }
      return;
    case Part::line_after_data:
      if (!line.empty()) state_ = FramingState::broken;
      part_ = Part::length_line;
      return;
    case Part::trailer:
      if (line.empty()) state_ = FramingState::whole;
      return;
    case Part::data: break;
  }
  UNREACHABLE();
}

}  // namespace sluice::bench
