#include "supervisor/stderr_tail.h"

#include <algorithm>

#include "base/limits.h"
#include "base/utf8.h"

namespace sluice::supervisor {
namespace {

std::string printable(std::string_view line) {
  std::string text = replace_broken_utf8(line);
  std::replace_if(text.begin(), text.end(), [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7f; }, '?');
  return text;
}

}  // namespace

StderrTail::StderrTail(OnLine on_line) : on_line_(std::move(on_line)) {}

void StderrTail::add(std::string_view bytes) {
  for (size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
    line_ += bytes.substr(0, end);
    take_line(line_);
    line_.clear();
    bytes.remove_prefix(end + 1);
  }
  line_ += bytes;
  // A line without end is cut where it would outgrow the tail.
  while (line_.size() > limits::stderr_tail_bytes_max) {
    take_line(std::string_view(line_).substr(0, limits::stderr_tail_bytes_max));
    line_.erase(0, limits::stderr_tail_bytes_max);
  }
}

void StderrTail::end() {
  if (line_.empty()) return;
  take_line(line_);
  line_.clear();
}

void StderrTail::take_line(std::string_view line) {
  const std::string text = printable(line);
  if (on_line_) on_line_(text);
  kept_ += text;
  kept_ += '\n';
  if (kept_.size() <= limits::stderr_tail_bytes_max) return;
  const size_t cut = kept_.find('\n', kept_.size() - limits::stderr_tail_bytes_max - 1);
  // The newest line alone may be over the bound: its end is kept.
  const bool only_line = cut + 1 >= kept_.size();
  kept_.erase(0, only_line ? kept_.size() - limits::stderr_tail_bytes_max : cut + 1);
}

std::string StderrTail::last_lines(size_t count) const {
  size_t start = kept_.size();
  for (size_t lines = 0; start > 0; --start) {
    if (kept_[start - 1] == '\n' && ++lines > count) break;
  }
  std::string text = kept_.substr(start);
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace sluice::supervisor
