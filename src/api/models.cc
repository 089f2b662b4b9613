#include "api/models.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/json_text.h"
#include "api/openai/errors.h"

namespace sluice::api {
namespace {

void append_model(std::string& out, const ModelFacts& model) {
  JsonObject object(out);
  object.text("id", model.id).text("object", "model").integer("created", model.created).text("owned_by", "sluice");
  std::string& aliases = object.key("aliases");
  aliases += '[';
  for (size_t i = 0; i < model.aliases.size(); ++i) {
    if (i > 0) aliases += ',';
    append_string(aliases, model.aliases[i]);
  }
  aliases += ']';
  if (model.shape) object.integer("context_window", model.shape->window);
  object.end();
}

}  // namespace

Result<void> check_model(const ModelFacts& model, std::string_view name) {
  const auto& aliases = model.aliases;
  if (name.empty() || name == model.id || std::find(aliases.begin(), aliases.end(), name) != aliases.end()) return {};
  std::string known = fmt::format("\"{}\"", model.id);
  for (const std::string& alias : aliases) known += fmt::format(", \"{}\"", alias);
  return fail(ErrorCode::not_found, fmt::format("there is no model \"{}\" here; this server has {}", name, known),
              "model");
}

http::Response models_response(const ModelFacts& model) {
  http::Response response;
  response.body = "{\"object\":\"list\",\"data\":[";
  append_model(response.body, model);
  response.body += "]}";
  return response;
}

http::Response model_response(const ModelFacts& model, std::string_view name) {
  if (const auto known = check_model(model, name); !known) return openai::error_response(known.error());
  http::Response response;
  append_model(response.body, model);
  return response;
}

}  // namespace sluice::api
