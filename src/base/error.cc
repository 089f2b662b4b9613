#include "base/error.h"

namespace sluice {

std::string_view name_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid: return "invalid";
    case ErrorCode::unsupported: return "unsupported";
    case ErrorCode::context_length: return "context_length";
    case ErrorCode::not_found: return "not_found";
    case ErrorCode::unauthorized: return "unauthorized";
    case ErrorCode::too_large: return "too_large";
    case ErrorCode::overloaded: return "overloaded";
    case ErrorCode::unavailable: return "unavailable";
    case ErrorCode::cancelled: return "cancelled";
    case ErrorCode::timed_out: return "timed_out";
    case ErrorCode::capacity: return "capacity";
    case ErrorCode::fault: return "fault";
    case ErrorCode::fatal: return "fatal";
    case ErrorCode::worker_lost: return "worker_lost";
    case ErrorCode::protocol: return "protocol";
    case ErrorCode::io: return "io";
    case ErrorCode::internal: return "internal";
  }
  return "unknown";
}

}  // namespace sluice
