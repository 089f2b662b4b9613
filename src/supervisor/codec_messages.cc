#include "supervisor/codec_messages.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::supervisor {

proto::ToCodec open_message(const std::string& model_path) {
  proto::ToCodec message;
  message.mutable_open()->set_model_path(model_path);
  return message;
}

proto::ToCodec render_message(const std::vector<ChatMessage>& messages, bool add_generation_prompt) {
  proto::ToCodec message;
  proto::Render& render = *message.mutable_render();
  render.set_add_generation_prompt(add_generation_prompt);
  for (const ChatMessage& chat : messages) {
    proto::ChatMessage& added = *render.add_messages();
    added.set_role(chat.role);
    added.set_content(chat.content);
    added.set_name(chat.name);
  }
  return message;
}

proto::ToCodec tokenize_message(std::string text, bool add_special, bool parse_special) {
  proto::ToCodec message;
  proto::Tokenize& tokenize = *message.mutable_tokenize();
  tokenize.set_text(std::move(text));
  tokenize.set_add_special(add_special);
  tokenize.set_parse_special(parse_special);
  return message;
}

Result<VocabularyFacts> facts_of(const proto::VocabularyReady& ready) {
  if (ready.vocabulary() == 0 || ready.vocabulary() > static_cast<uint32_t>(INT32_MAX)) {
    return fail(ErrorCode::protocol, fmt::format("a vocabulary of {} tokens", ready.vocabulary()));
  }
  VocabularyFacts facts;
  facts.model_name = ready.model_name();
  facts.architecture = ready.architecture();
  facts.trained_window = ready.trained_window();
  facts.vocabulary = ready.vocabulary();
  facts.file_bytes = ready.file_bytes();
  facts.has_chat_template = ready.has_chat_template();
  facts.kv_k_elements = ready.kv_k_elements();
  facts.kv_v_elements = ready.kv_v_elements();
  return facts;
}

Result<std::vector<Token>> tokens_of(const proto::Prompt& prompt, const VocabularyFacts& facts) {
  const auto outside = std::ranges::find_if(
      prompt.tokens(), [&](Token token) { return token < 0 || static_cast<uint32_t>(token) >= facts.vocabulary; });
  if (outside != prompt.tokens().end()) {
    return fail(ErrorCode::protocol, fmt::format("token {} is not in its vocabulary", *outside));
  }
  return std::vector<Token>(prompt.tokens().begin(), prompt.tokens().end());
}

}  // namespace sluice::supervisor
