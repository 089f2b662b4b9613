#include "api/openai/logprobs.h"

#include <algorithm>
#include <cmath>

#include "api/json_text.h"
#include "base/utf8.h"

namespace sluice::api::openai {
namespace {

// OpenAI's value for a token that cannot come; JSON has no infinity.
constexpr double kImpossible = -9999.0;

double finite(float logprob) { return std::isfinite(logprob) ? double{logprob} : kImpossible; }

void append_bytes(std::string& out, std::string_view bytes) {
  out += '[';
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i > 0) out += ',';
    append_integer(out, static_cast<unsigned char>(bytes[i]));
  }
  out += ']';
}

void append_token(JsonObject& object, std::string_view bytes, float logprob) {
  object.text("token", bytes).number("logprob", finite(logprob));
  append_bytes(object.key("bytes"), bytes);
}

void append_alternatives(std::string& out, const std::vector<TokenLogprob::Alternative>& top) {
  out += '[';
  for (size_t i = 0; i < top.size(); ++i) {
    if (i > 0) out += ',';
    JsonObject object(out);
    append_token(object, top[i].bytes, top[i].logprob);
    object.end();
  }
  out += ']';
}

// Appends `one(token)` for each, as an array.
template <class One>
void append_array(std::string& out, std::span<const TokenLogprob> tokens, One one) {
  out += '[';
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (i > 0) out += ',';
    one(tokens[i]);
  }
  out += ']';
}

void append_top(std::string& out, const TokenLogprob& token) {
  JsonObject object(out);
  for (const auto& other : token.top) {
    const std::string name = quoted(other.bytes);
    object.number(std::string_view(name).substr(1, name.size() - 2), finite(other.logprob));
  }
  object.end();
}

size_t characters(std::string_view bytes) {
  return static_cast<size_t>(std::ranges::count_if(bytes, begins_character));
}

}  // namespace

std::string chat_logprobs(std::span<const TokenLogprob> tokens) {
  std::string out = "{\"content\":";
  append_array(out, tokens, [&](const TokenLogprob& token) {
    JsonObject object(out);
    append_token(object, token.bytes, token.logprob);
    append_alternatives(object.key("top_logprobs"), token.top);
    object.end();
  });
  return out += '}';
}

std::string completion_logprobs(std::span<const TokenLogprob> tokens, size_t& text_offset) {
  std::string out;
  JsonObject object(out);
  append_array(object.key("tokens"), tokens, [&](const TokenLogprob& token) { append_string(out, token.bytes); });
  append_array(object.key("token_logprobs"), tokens,
               [&](const TokenLogprob& token) { append_number(out, finite(token.logprob)); });
  append_array(object.key("top_logprobs"), tokens, [&](const TokenLogprob& token) { append_top(out, token); });
  append_array(object.key("text_offset"), tokens, [&](const TokenLogprob& token) {
    append_integer(out, static_cast<int64_t>(text_offset));
    text_offset += characters(token.bytes);
  });
  object.end();
  return out;
}

}  // namespace sluice::api::openai
