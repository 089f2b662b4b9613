#include "api/openai/routes.h"

#include <fmt/format.h>

#include "api/answer.h"
#include "api/models.h"
#include "api/openai/errors.h"
#include "api/openai/parse.h"
#include "api/openai/stream.h"

namespace sluice::api::openai {
namespace {

Result<Request> parse(Backend& backend, Endpoint endpoint, const std::string& body) {
  const ModelFacts& model = backend.model();
  if (!model.shape) return fail(ErrorCode::unavailable, "the model is being opened; the same request works later");
  auto request = endpoint == Endpoint::chat ? parse_chat(body, *model.shape) : parse_completion(body, *model.shape);
  if (!request) return request;
  if (const auto known = check_model(model, request->model); !known) return std::unexpected(known.error());
  return request;
}

ReplyHead head_of(Backend& backend, Endpoint endpoint, const Request& request) {
  ReplyHead head;
  head.endpoint = endpoint;
  const auto prefix = endpoint == Endpoint::chat ? "chatcmpl-" : "cmpl-";
  head.id = fmt::format("{}{:016x}{:016x}", prefix, backend.random(), backend.random());
  head.created = backend.unix_seconds();
  head.model = backend.model().id;
  head.fingerprint = backend.model().fingerprint;
  head.include_usage = request.include_usage;
  head.logprobs = request.wish.sampling.top_logprobs.has_value();
  return head;
}

}  // namespace

void serve(Backend& backend, Endpoint endpoint, const CallPtr& call) {
  call->entry().model = backend.model().id;
  auto request = parse(backend, endpoint, call->request().body);
  if (!request) {
    call->entry().error_code = name_of(request.error().code);
    return call->reply(error_response(request.error()));
  }
  const size_t choices = request->wish.prompts.size() * request->wish.n;
  auto form = std::make_unique<Stream>(head_of(backend, endpoint, *request), choices);
  Answer::begin(backend, call, std::move(request->wish), std::move(form));
}

}  // namespace sluice::api::openai
