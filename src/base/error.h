// What can go wrong, as a value: one vocabulary of codes for the whole program, with the words a person reads.
// Refuses to know HTTP: api/ maps a code to a status in one exhaustive switch. Thread: any.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace sluice {

// The numeric values travel in process frames (proto/sluice.proto); add at the end only.
enum class ErrorCode : uint8_t {
  invalid = 0,         // malformed or out of range; `field` names what
  unsupported = 1,     // well-formed, but this model, runtime or build cannot do it; the message says why
  context_length = 2,  // the prompt does not fit the window of one generation
  not_found = 3,       // no such model or route
  unauthorized = 4,    // a key is needed
  too_large = 5,       // over a byte limit
  overloaded = 6,      // this server or its worker has no room: the same request works later
  unavailable = 7,     // loading, draining or restarting: the same request works later
  cancelled = 8,       // its client left or asked for it
  timed_out = 9,       // a bounded wait ended
  capacity = 10,       // the runtime has no room for this plan; nothing changed: plan again
  fault = 11,          // the sequences of this call are lost, others are not
  fatal = 12,          // the runtime cannot go on; the worker exits
  worker_lost = 13,    // the process that computed it died
  protocol = 14,       // a peer process sent what the protocol does not allow
  io = 15,             // the system refused; the message has its reason
  internal = 16,       // our own mistake
  // A limit of the key that asks: others may still ask.
  rate_limit_requests = 17,
  rate_limit_tokens = 18,
  concurrency_limit = 19,
  key_queue_full = 20,
  // A limit of this server: whoever asks is told the same.
  queue_full = 21,
  queue_timeout = 22,  // it waited as long as it may, and had no lane
  // It would wait longer than it may, and is not let in.
  queue_too_long = 23,
  key_queue_too_long = 24,  // but for the others of its key it would not: a limit of the key
};
inline constexpr ErrorCode kLastErrorCode = ErrorCode::key_queue_too_long;

std::string_view name_of(ErrorCode code);  // "context_length", as written above

struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string message;                    // a sentence for a person: what was wrong, and what would work
  std::string field;                      // the request field or option at fault; empty where none is
  std::chrono::seconds retry_after = {};  // of what works later: when; 0: nobody knows
};

// What of a message is for everybody. Where more lines follow they are for the log: the last words of a process.
inline std::string first_line(const std::string& message) { return message.substr(0, message.find('\n')); }

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(ErrorCode code, std::string message, std::string field = {}) {
  return std::unexpected(Error{code, std::move(message), std::move(field)});
}

}  // namespace sluice
