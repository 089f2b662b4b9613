#include "api/openai/parse_params.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <limits>

#include "api/openai/parse_bias.h"
#include "api/openai/parse_terms.h"
#include "base/limits.h"

namespace sluice::api::openai {
namespace {

namespace json = boost::json;

template <class T>
void take(T& target, const std::optional<double>& value) {
  if (value) target = static_cast<T>(*value);
}

void parse_sampling(Fields& fields, SamplingParams& sampling) {
  take(sampling.temperature, fields.number("temperature", 0, 2));
  take(sampling.top_p, fields.number("top_p", 0, 1));
  take(sampling.min_p, fields.number("min_p", 0, 1));
  // -1 is "off" for other servers, as 0 is for all.
  const auto top_k = fields.integer("top_k", -1, std::numeric_limits<int32_t>::max());
  if (top_k) sampling.top_k = *top_k < 0 ? 0 : static_cast<uint32_t>(*top_k);
  take(sampling.presence_penalty, fields.number("presence_penalty", -2, 2));
  take(sampling.frequency_penalty, fields.number("frequency_penalty", -2, 2));
  const auto repeat = fields.number("repeat_penalty", 0, 100);
  if (repeat && static_cast<float>(*repeat) <= 0) return fields.invalid("repeat_penalty", "must be above 0; 1 is off");
  take(sampling.repeat_penalty, repeat);
}

void parse_repeat_last_n(Fields& fields, const ModelShape& shape, SamplingParams& sampling) {
  const auto last_n = fields.integer("repeat_last_n", -1, limits::repeat_last_n_max);
  if (!last_n) return;
  if (*last_n >= 0) {
    sampling.repeat_last_n = static_cast<uint32_t>(*last_n);
  } else if (shape.window <= limits::repeat_last_n_max) {
    sampling.repeat_last_n = shape.window;
  } else {
    fields.invalid("repeat_last_n", fmt::format("-1 means the window, {} tokens; at most {} are looked at",
                                                shape.window, limits::repeat_last_n_max));
  }
}

// Any 64 bits; -1 is absent, as llama-server has it.
void parse_seed(Fields& fields, Wish& wish) {
  const auto* value = fields.find("seed");
  if (!value) return;
  const auto whole = whole_number(*value);
  constexpr uint64_t below_zero_max = uint64_t{1} << 63;
  if (!whole || (whole->negative && whole->magnitude > below_zero_max)) {
    return fields.invalid("seed", "must be an integer of 64 bits");
  }
  if (whole->negative && whole->magnitude == 1) return;
  wish.seed = whole->negative ? ~whole->magnitude + 1 : whole->magnitude;
}

void add_stop(Fields& fields, const std::string& path, const json::value& value, std::vector<std::string>& stop) {
  const auto* text = value.if_string();
  if (!text) return fields.invalid(path, fmt::format("must be a string, not {}", type_name(value)));
  if (text->empty()) return fields.invalid(path, "must not be empty");
  if (text->size() > limits::stop_string_bytes_max) {
    return fields.invalid(path, fmt::format("must have at most {} bytes", limits::stop_string_bytes_max));
  }
  stop.emplace_back(text->data(), text->size());
}

void parse_stop(Fields& fields, Wish& wish) {
  const auto* value = fields.find("stop");
  if (!value) return;
  const auto* array = value->if_array();
  if (!array && !value->is_string()) {
    return fields.invalid("stop", fmt::format("must be a string or an array of strings, not {}", type_name(*value)));
  }
  if (!array) return add_stop(fields, "stop", *value, wish.stop);
  if (array->size() > limits::stop_strings_max) {
    return fields.invalid("stop", fmt::format("must have at most {} strings", limits::stop_strings_max));
  }
  for (size_t i = 0; i < array->size(); ++i) add_stop(fields, fmt::format("stop[{}]", i), (*array)[i], wish.stop);
}

void parse_max_tokens(Fields& fields, Wish& wish) {
  const auto old_name = fields.integer("max_tokens", 1, limits::max_tokens_max);
  const auto new_name = fields.integer("max_completion_tokens", 1, limits::max_tokens_max);
  if (old_name && new_name && *old_name != *new_name) {
    return fields.invalid("max_completion_tokens", "differs from max_tokens, which means the same; send one of them");
  }
  if (const auto tokens = new_name ? new_name : old_name) wish.max_tokens = static_cast<uint32_t>(*tokens);
}

void parse_stream(Fields& fields, Request& request) {
  request.wish.stream = fields.boolean("stream").value_or(false);
  if (auto options = fields.object("stream_options")) {
    request.include_usage = options->boolean("include_usage").value_or(false);
  }
}

// Whether a value says something: null, false, "", [], {} do not.
bool says_something(const json::value& value) {
  if (const auto* flag = value.if_bool()) return *flag;
  if (const auto* text = value.if_string()) return !text->empty();
  if (const auto* array = value.if_array()) return !array->empty();
  if (const auto* object = value.if_object()) return !object->empty();
  return true;
}

void refuse(Fields& fields, std::string_view name, std::string_view why) {
  const auto* value = fields.find(name);
  if (value && says_something(*value)) fields.unsupported(name, std::string(why));
}

void refuse_response_format(Fields& fields) {
  auto format = fields.object("response_format");
  if (!format) return;
  const auto type = format->text("type");
  if (type && *type == "text") return;
  format->unsupported("type", "must be \"text\": answers of a given form are not offered");
}

void refuse_tool_choice(Fields& fields) {
  const auto* choice = fields.find("tool_choice");
  if (!choice) return;
  if (choice->is_string() && (choice->get_string() == "none" || choice->get_string() == "auto")) return;
  fields.unsupported("tool_choice", "asks for a tool call, and tools are not offered");
}

void refuse_modalities(Fields& fields) {
  const auto* modalities = fields.find("modalities");
  if (!modalities) return;
  const auto* array = modalities->if_array();
  if (!array) return fields.invalid("modalities", "must be an array of strings");
  for (const auto& one : *array) {
    if (!one.is_string() || one.get_string() != "text") fields.unsupported("modalities", "must be [\"text\"]");
  }
}

}  // namespace

void parse_params(Fields& fields, const ModelShape& shape, Request& request) {
  Wish& wish = request.wish;
  request.model = fields.text("model", limits::model_name_bytes_max).value_or("");
  parse_sampling(fields, wish.sampling);
  parse_repeat_last_n(fields, shape, wish.sampling);
  parse_logit_bias(fields, shape.vocabulary, wish.sampling.logit_bias);
  parse_seed(fields, wish);
  parse_stop(fields, wish);
  parse_max_tokens(fields, wish);
  wish.ignore_eos = fields.boolean("ignore_eos").value_or(false);
  wish.n = static_cast<uint32_t>(fields.integer("n", 1, limits::choices_max).value_or(1));
  parse_stream(fields, request);
  parse_terms(fields, request.terms);
  refuse_unoffered(fields);
}

void refuse_unoffered(Fields& fields) {
  refuse(fields, "tools", "are not offered");
  refuse(fields, "functions", "are not offered");
  refuse_tool_choice(fields);
  refuse(fields, "function_call", "asks for a function call, and functions are not offered");
  refuse_response_format(fields);
  refuse(fields, "grammar", "is not offered");
  refuse(fields, "json_schema", "is not offered");
  refuse_modalities(fields);
  refuse(fields, "audio", "is not offered");
  refuse(fields, "web_search_options", "are not offered");
}

}  // namespace sluice::api::openai
