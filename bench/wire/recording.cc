#include "bench/wire/recording.h"

#include <algorithm>

#include "base/check.h"

namespace sluice::bench {

std::string_view name_of(WireEnd end) {
  switch (end) {
    case WireEnd::whole: return "whole";
    case WireEnd::unreachable: return "unreachable";
    case WireEnd::reset: return "reset";
    case WireEnd::cut: return "cut short";
    case WireEnd::silent: return "timed out";
    case WireEnd::endless: return "endless";
    case WireEnd::not_http: return "not HTTP";
  }
  UNREACHABLE();
}

TimePoint arrival_of(const Recording& recording, size_t body_end) {
  const auto mark = std::ranges::lower_bound(recording.marks, body_end, {}, &Mark::body_end);
  CHECK(mark != recording.marks.end());
  return mark->at;
}

}  // namespace sluice::bench
