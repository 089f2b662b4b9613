#include "api/openai/parse_bias.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <charconv>
#include <limits>

#include "base/limits.h"

namespace sluice::api::openai {
namespace {

namespace json = boost::json;
using Biases = std::vector<std::pair<Token, float>>;
constexpr double kBiasMax = 100;

void add(Fields& fields, const std::string& path, std::optional<uint64_t> id, uint32_t vocabulary,
         const json::value& bias, Biases& out) {
  if (!id || *id >= vocabulary) {
    return fields.invalid(path, fmt::format("must name a token id between 0 and {}", vocabulary - 1));
  }
  const auto token = static_cast<Token>(*id);
  if (bias.is_bool() && !bias.get_bool()) {
    out.emplace_back(token, -std::numeric_limits<float>::infinity());
    return;
  }
  const double value = bias.is_number() ? bias.to_number<double>() : kBiasMax + 1;
  if (value < -kBiasMax || value > kBiasMax) {
    return fields.invalid(path, "must be a number between -100 and 100, or false, which bans the token");
  }
  out.emplace_back(token, static_cast<float>(value));
}

std::optional<uint64_t> id_in(std::string_view text) {
  uint64_t id = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (ec != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return id;
}

void parse_object_form(Fields& fields, const json::object& object, uint32_t vocabulary, Biases& out) {
  for (const auto& [key, bias] : object) {
    const std::string_view name(key.data(), key.size());
    add(fields, fmt::format("logit_bias.{}", name), id_in(name), vocabulary, bias, out);
  }
}

void parse_array_form(Fields& fields, const json::array& array, uint32_t vocabulary, Biases& out) {
  for (size_t i = 0; i < array.size(); ++i) {
    const std::string path = fmt::format("logit_bias[{}]", i);
    const auto* pair = array[i].if_array();
    if (!pair || pair->size() != 2) return fields.invalid(path, "must be a pair of token id and bias");
    const auto id = whole_number((*pair)[0]);
    add(fields, path, id && !id->negative ? std::optional(id->magnitude) : std::nullopt, vocabulary, (*pair)[1], out);
  }
}

}  // namespace

void parse_logit_bias(Fields& fields, uint32_t vocabulary, Biases& out) {
  const auto* value = fields.find("logit_bias");
  if (!value) return;
  const auto* object = value->if_object();
  const auto* array = value->if_array();
  if (!object && !array) {
    return fields.invalid("logit_bias",
                          fmt::format("must be an object or an array of pairs, not {}", type_name(*value)));
  }
  if ((object ? object->size() : array->size()) > limits::logit_bias_entries_max) {
    return fields.invalid("logit_bias", fmt::format("must have at most {} entries", limits::logit_bias_entries_max));
  }
  if (object) parse_object_form(fields, *object, vocabulary, out);
  if (array) parse_array_form(fields, *array, vocabulary, out);
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto twice =
      std::adjacent_find(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
  if (twice != out.end()) fields.invalid("logit_bias", fmt::format("names token {} twice", twice->first));
}

}  // namespace sluice::api::openai
