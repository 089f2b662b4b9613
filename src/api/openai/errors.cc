#include "api/openai/errors.h"

#include "api/json_text.h"
#include "base/check.h"
#include "base/limits.h"

namespace sluice::api::openai {
namespace {

std::string_view type_of(int status) {
  if (status == 401) return "authentication_error";
  if (status == 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}

bool works_later(int status) { return status == 429 || status == 503; }

}  // namespace

int status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid:
    case ErrorCode::unsupported:
    case ErrorCode::context_length: return 400;
    case ErrorCode::unauthorized: return 401;
    case ErrorCode::not_found: return 404;
    case ErrorCode::too_large: return 413;
    case ErrorCode::rate_limit_requests:
    case ErrorCode::rate_limit_tokens:
    case ErrorCode::concurrency_limit:
    case ErrorCode::key_queue_full:
    case ErrorCode::key_queue_too_long: return 429;  // this caller's limit; 503 is the server's
    case ErrorCode::overloaded:
    case ErrorCode::queue_full:
    case ErrorCode::queue_timeout:
    case ErrorCode::queue_too_long:
    case ErrorCode::cancelled:  // seen by a client only where the daemon itself gave up its work
    case ErrorCode::unavailable:
    case ErrorCode::capacity:
    case ErrorCode::worker_lost: return 503;  // the worker is being started again
    case ErrorCode::timed_out: return 504;
    case ErrorCode::fault:
    case ErrorCode::fatal:
    case ErrorCode::protocol:
    case ErrorCode::io:
    case ErrorCode::internal: return 500;
  }
  UNREACHABLE();
}

std::string_view code_of(const Error& error) {
  switch (error.code) {
    case ErrorCode::invalid: return "invalid_value";
    case ErrorCode::context_length: return "context_length_exceeded";
    case ErrorCode::not_found: return error.field == "model" ? "model_not_found" : "not_found";
    case ErrorCode::unauthorized: return "invalid_api_key";
    case ErrorCode::unsupported:
    case ErrorCode::too_large:
    case ErrorCode::overloaded:
    case ErrorCode::unavailable:
    case ErrorCode::cancelled:
    case ErrorCode::timed_out:
    case ErrorCode::capacity:
    case ErrorCode::fault:
    case ErrorCode::fatal:
    case ErrorCode::worker_lost:
    case ErrorCode::protocol:
    case ErrorCode::io:
    case ErrorCode::internal:
    case ErrorCode::rate_limit_requests:
    case ErrorCode::rate_limit_tokens:
    case ErrorCode::concurrency_limit:
    case ErrorCode::key_queue_full:
    case ErrorCode::queue_full:
    case ErrorCode::queue_timeout:
    case ErrorCode::queue_too_long:
    case ErrorCode::key_queue_too_long: return name_of(error.code);
  }
  UNREACHABLE();
}

std::string error_body(int status, const Error& error) {
  std::string out = "{\"error\":";
  JsonObject object(out);
  object.text("message", error.message).text("type", type_of(status));
  if (error.field.empty()) {
    object.raw("param", "null");
  } else {
    object.text("param", error.field);
  }
  object.text("code", code_of(error)).end();
  return out += '}';
}

http::Response error_response(const Error& error) {
  const int status = status_of(error.code);
  http::Response response{status, {}, "application/json", error_body(status, error)};
  if (works_later(status)) {
    const auto seconds = error.retry_after > std::chrono::seconds{} ? error.retry_after : limits::retry_after_default;
    response.headers.push_back({"Retry-After", std::to_string(seconds.count())});
  }
  if (status == 401) response.headers.push_back({"WWW-Authenticate", "Bearer"});
  return response;
}

}  // namespace sluice::api::openai
