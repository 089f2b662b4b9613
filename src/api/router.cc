#include "api/router.h"

#include <fmt/format.h>

#include "admission/presented_key.h"
#include "api/openai/errors.h"

namespace sluice::api {
namespace {

using http::Method;

bool matches(std::string_view pattern, std::string_view path, std::string_view& rest) {
  if (!pattern.ends_with("/*")) return pattern == path;
  pattern.remove_suffix(1);
  if (!path.starts_with(pattern) || path.size() == pattern.size()) return false;
  rest = path.substr(pattern.size());
  return true;
}

bool serves(Method route, Method asked) { return route == asked || (route == Method::get && asked == Method::head); }

}  // namespace

void Router::add(Method method, std::string path, KeyRule rule, Handler handler) {
  routes_.push_back({method, std::move(path), rule, std::move(handler)});
}

Router::Found Router::find(const http::Request& request) const {
  Found found;
  for (const Route& route : routes_) {
    if (!matches(route.path, request.path, found.rest)) continue;
    found.same_path.push_back(&route);
    if (serves(route.method, request.method)) found.route = &route;
  }
  return found;
}

Caller Router::caller_of(Call& call) const {
  if (!admission_.key_required()) return admission_.nobody();
  const http::Request& request = call.request();
  const auto presented = admission::presented_key(request.header("Authorization"), request.header("X-Api-Key"));
  Caller caller = presented ? admission_.account_of(*presented) : nullptr;
  if (caller) call.entry().key_label = caller->label();
  return caller;
}

void Router::route(const CallPtr& call) const {
  const Found found = find(call->request());
  call->entry().route = found.same_path.empty() ? "other" : found.same_path.front()->path;
  if (!found.route) return answer_without_route(*call, found);
  const Caller caller = caller_of(*call);
  if (found.route->rule == KeyRule::needed && !caller) {
    const Error error{
        ErrorCode::unauthorized, "this server needs an API key: send it as \"Authorization: Bearer KEY\"", {}};
    call->entry().error_code = name_of(error.code);
    return call->reply(openai::error_response(error));
  }
  found.route->handler(call, caller, found.rest);
}

void Router::answer_without_route(Call& call, const Found& found) const {
  const http::Request& request = call.request();
  if (found.same_path.empty()) {
    const Error error{ErrorCode::not_found,
                      fmt::format("there is nothing at {} {}; this server has /v1/chat/completions, /v1/completions, "
                                  "/v1/models, /health, /slots and /metrics",
                                  name_of(request.method), request.path),
                      {}};
    call.entry().error_code = name_of(error.code);
    return call.reply(openai::error_response(error));
  }
  std::string allowed;
  for (const Route* route : found.same_path) {
    allowed += allowed.empty() ? "" : ", ";
    allowed += name_of(route->method);
    if (route->method == Method::get) allowed += ", HEAD";
  }
  allowed += ", OPTIONS";
  if (request.method == Method::options) return call.reply({204, {{"Allow", allowed}}, "", ""});
  const Error error{
      ErrorCode::invalid, fmt::format("{} takes {}, not {}", request.path, allowed, name_of(request.method)), {}};
  call.entry().error_code = name_of(error.code);
  call.reply({405, {{"Allow", allowed}}, "application/json", openai::error_body(405, error)});
}

}  // namespace sluice::api
