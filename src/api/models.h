// GET /v1/models and /v1/models/{id}, and which model a name means. Refuses to know where models live. Thread: core.
#pragma once

#include <optional>
#include <string_view>

#include "api/backend.h"
#include "http/http.h"

namespace sluice::api {

// The class that the name gives its requests. Empty: the served model. Error: not_found, naming what there is.
Result<std::optional<Class>> find_model(const ModelFacts& model, std::string_view name);

http::Response models_response(const ModelFacts& model);
http::Response model_response(const ModelFacts& model, std::string_view name);

}  // namespace sluice::api
