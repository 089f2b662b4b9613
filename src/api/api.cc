#include "api/api.h"

#include "api/health.h"
#include "api/models.h"
#include "api/openai/errors.h"
#include "api/openai/routes.h"
#include "api/router.h"
#include "api/slots_route.h"

namespace sluice::api {

using http::Method;
using openai::Endpoint;

struct Api::Impl {
  Impl(Backend& b, admission::Admission& a, AccessLog l) : backend(b), admission(a), router(a), log(std::move(l)) {}

  void add_routes(const Options& options);
  KeyLabels key_labels() const;

  Backend& backend;
  admission::Admission& admission;
  Router router;
  const AccessLog log;
  SlotsRoute slots{backend, [this] { return key_labels(); }};
};

void Api::Impl::add_routes(const Options& options) {
  const auto complete = [this](Endpoint endpoint) {
    return [this, endpoint](const CallPtr& call, const Caller& caller, std::string_view) {
      openai::serve({backend, admission}, endpoint, call, caller);
    };
  };
  router.add(Method::post, "/v1/chat/completions", KeyRule::needed, complete(Endpoint::chat));
  router.add(Method::post, "/v1/completions", KeyRule::needed, complete(Endpoint::completions));
  router.add(Method::get, "/v1/models", KeyRule::needed, [this](const CallPtr& call, const Caller&, std::string_view) {
    call->reply(models_response(backend.model()));
  });
  router.add(Method::get, "/v1/models/*", KeyRule::needed,
             [this](const CallPtr& call, const Caller&, std::string_view id) {
               call->reply(model_response(backend.model(), id));
             });
  router.add(Method::get, "/health", KeyRule::open,
             [this](const CallPtr& call, const Caller& caller, std::string_view) {
               call->reply(health_response(backend, caller != nullptr));
             });
  router.add(Method::get, "/slots", KeyRule::needed,
             [this](const CallPtr& call, const Caller&, std::string_view) { slots.serve(call); });
  router.add(Method::get, "/metrics", options.metrics_open ? KeyRule::open : KeyRule::needed,
             [this](const CallPtr& call, const Caller&, std::string_view) {
               call->reply({200, {}, "text/plain; version=0.0.4; charset=utf-8", backend.metrics_text()});
             });
}

KeyLabels Api::Impl::key_labels() const {
  KeyLabels labels;
  for (const admission::AccountPtr& account : admission.accounts_with_live()) {
    if (account->number() != 0) labels.emplace(account->number(), account->label());
  }
  return labels;
}

Api::Api(Backend& backend, admission::Admission& admission, Options options, AccessLog log)
    : impl_(std::make_unique<Impl>(backend, admission, std::move(log))) {
  impl_->add_routes(options);
}

Api::~Api() = default;

void Api::handle(std::shared_ptr<http::Exchange> exchange) {
  impl_->router.route(std::make_shared<Call>(std::move(exchange), impl_->backend, impl_->log));
}

std::string Api::error_body(int status, const Error& error) { return openai::error_body(status, error); }

}  // namespace sluice::api
