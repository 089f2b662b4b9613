#include "bench/answer/fault.h"

#include "base/check.h"

namespace sluice::bench {

std::string_view name_of(Fault fault) {
  switch (fault) {
    case Fault::unreachable: return "unreachable";
    case Fault::reset: return "connection reset";
    case Fault::cut_short: return "cut short";
    case Fault::timed_out: return "timed out";
    case Fault::endless: return "endless";
    case Fault::not_http: return "not HTTP";
    case Fault::refused: return "refused";
    case Fault::error_event: return "error in mid-stream";
    case Fault::unreadable_event: return "unreadable event";
    case Fault::no_content: return "no content";
    case Fault::wrong_token_count: return "wrong token count";
    case Fault::over_reported: return "usage over-reported";
    case Fault::from_cache: return "from a cache";
    case Fault::no_usage: return "no usage";
    case Fault::no_done: return "no [DONE]";
    case Fault::no_finish_reason: return "no finish reason";
  }
  UNREACHABLE();
}

Gravity gravity_of(Fault fault) {
  switch (fault) {
    case Fault::unreachable:
    case Fault::reset:
    case Fault::cut_short:
    case Fault::timed_out:
    case Fault::endless:
    case Fault::not_http:
    case Fault::refused:
    case Fault::error_event:
    case Fault::unreadable_event:
    case Fault::no_content: return Gravity::failure;
    case Fault::wrong_token_count:
    case Fault::over_reported:
    case Fault::from_cache: return Gravity::voids;
    case Fault::no_usage:
    case Fault::no_done:
    case Fault::no_finish_reason: return Gravity::noted;
  }
  UNREACHABLE();
}

}  // namespace sluice::bench
