#include "api/health.h"

#include "api/json_text.h"
#include "base/check.h"
#include "base/limits.h"

namespace sluice::api {

std::string_view name_of(Readiness readiness) {
  switch (readiness) {
    case Readiness::loading: return "loading";
    case Readiness::ready: return "ok";
    case Readiness::draining: return "draining";
    case Readiness::failed: return "failed";
  }
  UNREACHABLE();
}

namespace {

void append_figures(JsonObject& object, const Backend& backend, const StatusSnapshot& status) {
  object.text("model", backend.model().id)
      .integer("lanes", status.lanes)
      .integer("lanes_busy", status.lanes_busy)
      .integer("waiting", status.waiting)
      .integer("prompt_tokens", static_cast<int64_t>(status.prompt_tokens))
      .integer("cached_tokens", static_cast<int64_t>(status.cached_tokens))
      .integer("completion_tokens", static_cast<int64_t>(status.completion_tokens))
      .number("tokens_per_second", status.tokens_per_second)
      .integer("resident_bytes", static_cast<int64_t>(status.resident_bytes))
      .integer("worker_starts", static_cast<int64_t>(status.worker_starts))
      .integer("worker_deaths", static_cast<int64_t>(status.worker_deaths));
}

}  // namespace

http::Response health_response(const Backend& backend, bool whole) {
  const StatusSnapshot status = backend.status();
  http::Response response;
  JsonObject object(response.body);
  object.text("status", name_of(status.readiness));
  if (whole) append_figures(object, backend, status);
  object.end();
  if (status.readiness == Readiness::ready) return response;
  response.status = 503;
  response.headers.push_back({"Retry-After", std::to_string(limits::retry_after_default.count())});
  return response;
}

}  // namespace sluice::api
