#include "cli/chat.h"

#include <boost/json.hpp>

#include "base/check.h"

namespace sluice::cli {
namespace json = boost::json;
namespace {

// The member at the end of a path of names and indexes, where the value has all of them.
const json::value* at(const json::value& value, std::string_view pointer) {
  boost::system::error_code ec;
  return value.find_pointer(pointer, ec);
}

std::string text_at(const json::value& value, std::string_view pointer) {
  const json::value* found = at(value, pointer);
  return found && found->is_string() ? std::string(found->get_string()) : std::string();
}

json::value parsed(std::string_view text) {
  boost::system::error_code ec;
  json::value value = json::parse(text, ec);
  return ec ? json::value() : value;
}

}  // namespace

Chat::Chat(config::RunOptions options, std::string model) : options_(std::move(options)), model_(std::move(model)) {
  if (!options_.system.empty()) messages_.push_back({"system", options_.system});
}

std::string Chat::ask(std::string text) {
  messages_.push_back({"user", std::move(text)});
  answer_.clear();
  whole_ = false;
  json::array messages;
  for (const Message& message : messages_) {
    messages.push_back({{"role", message.role}, {"content", message.content}});
  }
  json::object body{{"model", model_}, {"messages", std::move(messages)}, {"stream", true}};
  if (options_.max_tokens) body["max_tokens"] = *options_.max_tokens;
  if (options_.temperature) body["temperature"] = *options_.temperature;
  if (options_.seed) body["seed"] = *options_.seed;
  return json::serialize(body);
}

Result<std::string> Chat::on_event(std::string_view data) {
  if (data == "[DONE]") {
    whole_ = true;
    return std::string();
  }
  const json::value event = parsed(data);
  if (!event.is_object()) return fail(ErrorCode::protocol, "the server sent an event that is not a JSON object");
  if (at(event, "/error")) return fail(ErrorCode::fault, text_at(event, "/error/message"));
  std::string text = text_at(event, "/choices/0/delta/content");
  answer_ += text;
  return text;
}

void Chat::end_turn() {
  if (answer_.empty()) return forget_turn();
  messages_.push_back({"assistant", answer_});
}

void Chat::forget_turn() {
  CHECK(!messages_.empty() && messages_.back().role == "user");
  messages_.pop_back();
}

std::string error_message(std::string_view body) {
  const std::string message = text_at(parsed(body), "/error/message");
  return message.empty() ? std::string(body) : message;
}

Result<std::string> first_model(std::string_view body) {
  std::string id = text_at(parsed(body), "/data/0/id");
  if (id.empty()) return fail(ErrorCode::protocol, "the server's /v1/models names no model");
  return id;
}

}  // namespace sluice::cli
