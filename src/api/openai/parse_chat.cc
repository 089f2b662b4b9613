#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>

#include "api/openai/parse.h"
#include "api/openai/parse_params.h"
#include "base/limits.h"

namespace sluice::api::openai {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 4> kRoles = {"system", "developer", "user", "assistant"};

// The texts of the parts, a line feed between them, as llama-server joins them.
void add_part(Fields& part, std::string& content) {
  const auto type = part.text("type");
  if (!type) return part.invalid("type", "is required: \"text\"");
  if (*type != "text") return part.unsupported("type", fmt::format("\"{}\" is not offered: only \"text\" is", *type));
  const auto text = part.text("text");
  if (!text) return part.invalid("text", "is required");
  if (!content.empty()) content += '\n';
  content += *text;
}

void parse_parts(Fields& message, const json::array& parts, FirstError& error, std::string& content) {
  for (size_t i = 0; i < parts.size() && !error; ++i) {
    const std::string name = fmt::format("content[{}]", i);
    const auto* object = parts[i].if_object();
    if (!object) return message.invalid(name, fmt::format("must be an object, not {}", type_name(parts[i])));
    Fields part(*object, message.path(name), error);
    add_part(part, content);
  }
}

void parse_content(Fields& message, FirstError& error, std::string& content) {
  const auto* value = message.find("content");
  if (!value) return;  // null: a message without words
  if (const auto* text = value->if_string()) {
    content.assign(text->data(), text->size());
  } else if (const auto* parts = value->if_array()) {
    parse_parts(message, *parts, error, content);
  } else {
    message.invalid("content", fmt::format("must be a string, null or an array of parts, not {}", type_name(*value)));
  }
}

void parse_role(Fields& message, std::string& role) {
  const auto given = message.text("role");
  if (!given) return message.invalid("role", "is required");
  if (*given == "tool" || *given == "function") return message.unsupported("role", "\"tool\" is not offered");
  if (std::find(kRoles.begin(), kRoles.end(), *given) == kRoles.end()) {
    return message.invalid("role", "must be \"system\", \"developer\", \"user\" or \"assistant\"");
  }
  role = *given;
}

ChatMessage parse_message(Fields& message, FirstError& error) {
  ChatMessage out;
  parse_role(message, out.role);
  parse_content(message, error, out.content);
  out.name = message.text("name").value_or("");
  for (const auto* name : {"tool_calls", "function_call", "audio"}) {
    const auto* value = message.find(name);
    const bool empty = value && value->is_array() && value->get_array().empty();
    if (value && !empty) message.unsupported(name, "is not offered");
  }
  return out;
}

void parse_messages(Fields& fields, FirstError& error, Conversation& out) {
  const auto* value = fields.find("messages");
  const auto* array = value ? value->if_array() : nullptr;
  if (!array || array->empty()) return fields.invalid("messages", "must be an array with at least one message");
  if (array->size() > limits::messages_max) {
    return fields.invalid("messages", fmt::format("must have at most {} messages", limits::messages_max));
  }
  for (size_t i = 0; i < array->size() && !error; ++i) {
    const std::string name = fmt::format("messages[{}]", i);
    const auto* object = (*array)[i].if_object();
    if (!object) return fields.invalid(name, fmt::format("must be an object, not {}", type_name((*array)[i])));
    Fields message(*object, name, error);
    out.push_back(parse_message(message, error));
  }
}

void parse_logprobs(Fields& fields, SamplingParams& sampling) {
  const bool wanted = fields.boolean("logprobs").value_or(false);
  const auto top = fields.integer("top_logprobs", 0, limits::top_logprobs_max);
  if (wanted) sampling.top_logprobs = static_cast<uint32_t>(top.value_or(0));
  if (!wanted && top.value_or(0) > 0) fields.invalid("top_logprobs", "needs \"logprobs\": true");
}

}  // namespace

Result<Request> parse_chat(std::string_view body, const ModelShape& shape) {
  const auto value = parse_object(body);
  if (!value) return std::unexpected(value.error());
  FirstError error;
  Fields fields(value->get_object(), "", error);
  Request request;
  Conversation conversation;
  parse_messages(fields, error, conversation);
  parse_params(fields, shape, request);
  parse_logprobs(fields, request.wish.sampling);
  if (error) return std::unexpected(error.get());
  request.wish.prompts.emplace_back(std::move(conversation));
  request.wish.prompt_field = "messages";
  return request;
}

}  // namespace sluice::api::openai
