#include "bench/load/ask.h"

#include <boost/json.hpp>

namespace sluice::bench {
namespace {

namespace json = boost::json;

json::array messages_of(const Ask& ask) {
  json::array messages;
  for (const Message& message : ask.messages) {
    messages.push_back(json::object{{"role", message.role}, {"content", message.content}});
  }
  return messages;
}

}  // namespace

std::string_view path_of(const Ask& ask) { return ask.chat ? "/v1/chat/completions" : "/v1/completions"; }

std::string body_of(const Ask& ask, const Dialect& dialect, const std::string& model) {
  json::object body = {{"model", model},
                       {"stream", true},
                       {"stream_options", {{"include_usage", true}}},
                       {"max_tokens", ask.tokens},
                       {"temperature", ask.sampled ? ask.sampled->temperature : 0}};
  if (ask.chat) {
    body["messages"] = messages_of(ask);
  } else {
    body["prompt"] = ask.prompt;
  }
  if (ask.sampled) {
    body["top_p"] = ask.sampled->top_p;
    body["top_k"] = ask.sampled->top_k;
    if (dialect.seed) body["seed"] = ask.sampled->seed;
  }
  if (ask.to_the_end) body["ignore_eos"] = true;
  if (ask.thinking) body["chat_template_kwargs"] = {{"enable_thinking", *ask.thinking}};
  return json::serialize(body);
}

Expected expected_of(const Ask& ask) {
  return {.tokens = ask.tokens, .exactly = ask.to_the_end, .cached_max = ask.cached_max};
}

}  // namespace sluice::bench
