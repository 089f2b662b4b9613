// What a request says of itself beside what it asks: its class, how long its answer may take, its session. Headers and
// bodies can say the same; a header wins, because whoever put it there came later. Refuses to know dialects and what
// comes of it. Thread: any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/core.h"
#include "http/http.h"

namespace sluice::api {

inline constexpr std::string_view kClassHeader = "X-Sluice-Class";  // of requests; and of replies: the effective one
inline constexpr std::string_view kDeadlineHeader = "X-Sluice-Deadline-Ms";

struct Terms {
  std::optional<Class> cls;
  std::optional<Duration> time;  // for the whole answer, from the request's receipt; over 0
  std::string session;           // empty: none
};

// Error: invalid, naming the header.
Result<Terms> terms_of_headers(const http::Request& request);
Terms joined(Terms headers, Terms body);

Result<Class> class_of_word(std::string_view word, std::string field);
// The same session of the same key has the same number as long as the daemon lives; 0 where there is none.
uint64_t session_number(uint32_t key, std::string_view session);

}  // namespace sluice::api
