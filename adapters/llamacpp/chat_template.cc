#include "adapters/llamacpp/chat_template.h"

#include <fmt/format.h>

#include <chrono>

#include "chat.h"

namespace sluice::llamacpp {
namespace {

common_chat_msg as_common(const ChatMessage& message) {
  common_chat_msg out;
  out.role = message.role;
  out.content = message.content;
  out.tool_name = message.name;  // what the templates see as "name"
  return out;
}

}  // namespace

ChatTemplate::ChatTemplate(common_chat_templates* templates) : templates_(templates) {}
ChatTemplate::ChatTemplate(ChatTemplate&&) noexcept = default;
ChatTemplate& ChatTemplate::operator=(ChatTemplate&&) noexcept = default;
ChatTemplate::~ChatTemplate() = default;

void ChatTemplate::Free::operator()(common_chat_templates* templates) const { common_chat_templates_free(templates); }

Result<ChatTemplate> ChatTemplate::open(const llama_model* model) {
  try {
    return ChatTemplate(common_chat_templates_init(model, "").release());
  } catch (const std::exception& error) {
    return fail(ErrorCode::unsupported, fmt::format("the model's chat template cannot be used: {}", error.what()));
  }
}

Result<std::string> ChatTemplate::apply(std::span<const ChatMessage> messages, bool add_generation_prompt) const {
  common_chat_templates_inputs inputs;
  for (const auto& message : messages) inputs.messages.push_back(as_common(message));
  inputs.add_generation_prompt = add_generation_prompt;
  inputs.reasoning_format = COMMON_REASONING_FORMAT_AUTO;
  // Some templates write the date: a prompt stays the same for a day, so that its KV can be reused.
  inputs.now = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  try {
    return common_chat_templates_apply(templates_.get(), inputs).prompt;
  } catch (const std::exception& error) {
    return fail(ErrorCode::invalid, fmt::format("the model's chat template refuses these messages: {}", error.what()),
                "messages");
  }
}

}  // namespace sluice::llamacpp
