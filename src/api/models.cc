#include "api/models.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/json_text.h"
#include "api/openai/errors.h"

namespace sluice::api {
namespace {

// By the name that it is asked by: its own, or one that gives its requests a class.
void append_model(std::string& out, const ModelFacts& model, std::string_view id, std::optional<Class> cls) {
  JsonObject object(out);
  object.text("id", id).text("object", "model").integer("created", model.created).text("owned_by", "sluice");
  std::string& aliases = object.key("aliases");
  aliases += '[';
  for (size_t i = 0; i < model.aliases.size() && !cls; ++i) {
    if (i > 0) aliases += ',';
    append_string(aliases, model.aliases[i].name);
  }
  aliases += ']';
  if (model.shape) object.integer("context_window", model.shape->window);
  if (cls) object.text("root", model.id).text("class", name_of(*cls));
  object.end();
}

}  // namespace

Result<std::optional<Class>> find_model(const ModelFacts& model, std::string_view name) {
  if (name.empty() || name == model.id) return std::nullopt;
  const auto found = std::ranges::find(model.aliases, name, &ModelAlias::name);
  if (found != model.aliases.end()) return found->cls;
  std::string known = fmt::format("\"{}\"", model.id);
  for (const ModelAlias& alias : model.aliases) known += fmt::format(", \"{}\"", alias.name);
  return fail(ErrorCode::not_found, fmt::format("there is no model \"{}\" here; this server has {}", name, known),
              "model");
}

http::Response models_response(const ModelFacts& model) {
  http::Response response;
  response.body = "{\"object\":\"list\",\"data\":[";
  append_model(response.body, model, model.id, std::nullopt);
  for (const ModelAlias& alias : model.aliases) {
    if (!alias.cls) continue;
    response.body += ',';
    append_model(response.body, model, alias.name, alias.cls);
  }
  response.body += "]}";
  return response;
}

http::Response model_response(const ModelFacts& model, std::string_view name) {
  const auto cls = find_model(model, name);
  if (!cls) return openai::error_response(cls.error());
  http::Response response;
  append_model(response.body, model, *cls ? name : std::string_view(model.id), *cls);
  return response;
}

}  // namespace sluice::api
