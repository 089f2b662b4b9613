#include "api/terms.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "base/fnv.h"
#include "base/limits.h"

namespace sluice::api {
namespace {

// The first that is there counts. What other servers and clients call it.
constexpr std::array<std::string_view, 4> kSessionHeaders = {"X-Session-Id", "X-Claude-Code-Session-Id", "session_id",
                                                             "X-Session-Affinity"};

std::string class_names() {
  std::string names;
  for (const Class cls : kClasses) names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", name_of(cls));
  return names;
}

Result<std::optional<Class>> class_of_header(const http::Request& request) {
  const auto word = request.header(kClassHeader);
  if (!word) return std::nullopt;
  const auto cls = class_of_word(*word, std::string(kClassHeader));
  if (!cls) return std::unexpected(cls.error());
  return *cls;
}

Result<std::optional<Duration>> time_of_header(const http::Request& request) {
  constexpr int64_t kMost = std::chrono::milliseconds(limits::deadline_max).count();
  const auto word = request.header(kDeadlineHeader);
  if (!word) return std::nullopt;
  int64_t ms = 0;
  const char* end = word->data() + word->size();
  const auto [rest, error] = std::from_chars(word->data(), end, ms);
  if (error == std::errc{} && rest == end && ms >= 1 && ms <= kMost) return std::chrono::milliseconds(ms);
  return fail(ErrorCode::invalid, fmt::format("{} must be an integer between 1 and {}", kDeadlineHeader, kMost),
              std::string(kDeadlineHeader));
}

Result<std::string> session_of_headers(const http::Request& request) {
  for (const std::string_view name : kSessionHeaders) {
    const auto value = request.header(name);
    if (!value || value->empty()) continue;
    if (value->size() <= limits::session_id_bytes_max) return std::string(*value);
    return fail(ErrorCode::invalid, fmt::format("{} must have at most {} bytes", name, limits::session_id_bytes_max),
                std::string(name));
  }
  return std::string();
}

}  // namespace

Result<Terms> terms_of_headers(const http::Request& request) {
  const auto cls = class_of_header(request);
  if (!cls) return std::unexpected(cls.error());
  const auto time = time_of_header(request);
  if (!time) return std::unexpected(time.error());
  auto session = session_of_headers(request);
  if (!session) return std::unexpected(std::move(session.error()));
  return Terms{*cls, *time, std::move(*session)};
}

Terms joined(Terms headers, Terms body) {
  return {headers.cls ? headers.cls : body.cls, headers.time ? headers.time : body.time,
          std::move(headers.session.empty() ? body.session : headers.session)};
}

Result<Class> class_of_word(std::string_view word, std::string field) {
  if (const auto cls = find_class(word)) return *cls;
  std::string message = fmt::format("{} must be one of {}, not \"{}\"", field, class_names(), word);
  return fail(ErrorCode::invalid, std::move(message), std::move(field));
}

uint64_t session_number(uint32_t key, std::string_view session) {
  if (session.empty()) return 0;
  return std::max<uint64_t>(fnv1a(session, fnv1a(std::to_string(key) + ':')), 1);
}

}  // namespace sluice::api
