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
    case ErrorCode::rate_limit_requests: return "rate_limit_requests";
    case ErrorCode::rate_limit_tokens: return "rate_limit_tokens";
    case ErrorCode::concurrency_limit: return "concurrency_limit";
    case ErrorCode::key_queue_full: return "key_queue_full";
    case ErrorCode::queue_full: return "queue_full";
    case ErrorCode::queue_timeout: return "queue_timeout";
    case ErrorCode::queue_too_long: return "queue_too_long";
    case ErrorCode::key_queue_too_long: return "key_queue_too_long";
  }
  return "unknown";
}

}  // namespace sluice
