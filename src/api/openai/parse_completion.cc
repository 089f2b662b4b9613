#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>

#include "api/openai/parse.h"
#include "api/openai/parse_params.h"
#include "base/limits.h"

namespace sluice::api::openai {
namespace {

namespace json = boost::json;

// Reads `prompt`: a string, strings, token ids, or arrays of token ids.
class PromptReader final {
 public:
  PromptReader(Fields& fields, uint32_t vocabulary) : fields_(fields), vocabulary_(vocabulary) {}

  std::vector<Prompt> read() {
    const auto* value = fields_.find("prompt");
    if (!value) {
      fields_.invalid("prompt", "is required");
    } else if (const auto* text = value->if_string()) {
      prompts_.emplace_back(std::string(text->data(), text->size()));
    } else if (const auto* array = value->if_array()) {
      read_array(*array);
    } else {
      fields_.invalid("prompt", fmt::format("must be a string or an array, not {}", type_name(*value)));
    }
    return std::move(prompts_);
  }

 private:
  void read_array(const json::array& array) {
    if (array.empty()) return fields_.invalid("prompt", "must not be empty");
    if (array[0].is_number()) return add_tokens("prompt", array);
    if (array.size() > limits::prompts_max) {
      return fields_.invalid("prompt", fmt::format("must have at most {} prompts", limits::prompts_max));
    }
    for (size_t i = 0; i < array.size(); ++i) add_element(fmt::format("prompt[{}]", i), array[0], array[i]);
  }

  // All elements are of the first one's kind.
  void add_element(const std::string& path, const json::value& first, const json::value& element) {
    if (first.is_string() && element.is_string()) {
      prompts_.emplace_back(std::string(element.get_string().data(), element.get_string().size()));
    } else if (first.is_array() && element.is_array()) {
      add_tokens(path, element.get_array());
    } else {
      fields_.invalid(path, fmt::format("must be a string or an array of token ids, as its neighbours, not {}",
                                        type_name(element)));
    }
  }

  void add_tokens(const std::string& path, const json::array& ids) {
    if (ids.empty()) return fields_.invalid(path, "must not be empty");
    std::vector<Token> tokens;
    tokens.reserve(ids.size());
    for (size_t i = 0; i < ids.size(); ++i) {
      const auto id = whole_number(ids[i]);
      if (!id || id->negative || id->magnitude >= vocabulary_) {
        return fields_.invalid(fmt::format("{}[{}]", path, i),
                               fmt::format("must be a token id between 0 and {}", vocabulary_ - 1));
      }
      tokens.push_back(static_cast<Token>(id->magnitude));
    }
    prompts_.emplace_back(std::move(tokens));
  }

  Fields& fields_;
  const uint32_t vocabulary_;
  std::vector<Prompt> prompts_;
};

void parse_best_of(Fields& fields, uint32_t n) {
  const auto best_of = fields.integer("best_of", 1, limits::choices_max);
  if (!best_of || *best_of == n) return;
  if (*best_of < n) return fields.invalid("best_of", "must not be less than n");
  fields.unsupported("best_of", "above n is not offered: ask for n answers and choose");
}

void refuse_completion_fields(Fields& fields) {
  if (fields.boolean("echo").value_or(false)) fields.unsupported("echo", "is not offered");
  if (!fields.text("suffix").value_or("").empty()) fields.unsupported("suffix", "is not offered");
}

}  // namespace

Result<Request> parse_completion(std::string_view body, const ModelShape& shape) {
  const auto value = parse_object(body);
  if (!value) return std::unexpected(value.error());
  FirstError error;
  Fields fields(value->get_object(), "", error);
  Request request;
  Wish& wish = request.wish;
  wish.prompts = PromptReader(fields, shape.vocabulary).read();
  wish.prompt_field = "prompt";
  parse_params(fields, shape, request);
  const auto logprobs = fields.integer("logprobs", 0, limits::top_logprobs_max);
  if (logprobs) wish.sampling.top_logprobs = static_cast<uint32_t>(*logprobs);
  parse_best_of(fields, wish.n);
  refuse_completion_fields(fields);
  if (wish.prompts.size() * wish.n > limits::choices_max) {
    fields.invalid("n", fmt::format("times the number of prompts must not be over {}", limits::choices_max));
  }
  if (error) return std::unexpected(error.get());
  return request;
}

}  // namespace sluice::api::openai
