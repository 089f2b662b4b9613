#include "api/openai/routes.h"

#include <fmt/format.h>

#include "admission/class_choice.h"
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

uint32_t choices_of(const Wish& wish) { return static_cast<uint32_t>(wish.prompts.size() * wish.n); }

// A request, parsed and with room for its generations.
struct Admitted {
  Request request;
  admission::Place place;
};

Result<Admitted> admit(const Daemon& daemon, Endpoint endpoint, Call& call, const admission::AccountPtr& caller) {
  auto headers = terms_of_headers(call.request());
  if (!headers) return std::unexpected(std::move(headers.error()));
  auto request = parse(daemon.backend, endpoint, call.request().body);
  if (!request) return std::unexpected(std::move(request.error()));
  const auto model_class = find_model(daemon.backend.model(), request->model);
  if (!model_class) return std::unexpected(model_class.error());
  const Terms terms = joined(std::move(*headers), std::move(request->terms));
  const auto [cls, named] = admission::choose_class(terms.cls, *model_class, caller->key());
  call.entry().cls = name_of(cls);
  call.add_header(kClassHeader, name_of(cls));
  auto place = daemon.admission.admit(caller, cls, choices_of(request->wish), daemon.backend.now());
  if (!place) return std::unexpected(std::move(place.error()));
  Wish& wish = request->wish;
  wish.cls = cls;
  wish.class_named = named;
  wish.session = session_number(caller->number(), terms.session);
  wish.time = terms.time;
  return Admitted{std::move(*request), std::move(*place)};
}

}  // namespace

void serve(const Daemon& daemon, Endpoint endpoint, const CallPtr& call, const admission::AccountPtr& caller) {
  Backend& backend = daemon.backend;
  call->entry().model = backend.model().id;
  auto admitted = admit(daemon, endpoint, *call, caller);
  if (!admitted) {
    call->entry().error_code = name_of(admitted.error().code);
    return call->reply(error_response(admitted.error()));
  }
  const Request& request = admitted->request;
  auto form = std::make_unique<Stream>(head_of(backend, endpoint, request), choices_of(request.wish));
  Answer::begin(backend, call, std::move(admitted->request.wish), std::move(form), std::move(admitted->place));
}

}  // namespace sluice::api::openai
