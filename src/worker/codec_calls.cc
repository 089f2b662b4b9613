#include "worker/codec_calls.h"

#include "base/check.h"
#include "base/utf8.h"
#include "proto/convert.h"
#include "worker/guarded.h"

namespace sluice::worker {
namespace {

// Names come from a file, which may hold any bytes.
proto::VocabularyReady message_of(const VocabularyFacts& facts) {
  proto::VocabularyReady message;
  message.set_model_name(replace_broken_utf8(facts.model_name));
  message.set_architecture(replace_broken_utf8(facts.architecture));
  message.set_trained_window(facts.trained_window);
  message.set_vocabulary(facts.vocabulary);
  message.set_file_bytes(facts.file_bytes);
  message.set_has_chat_template(facts.has_chat_template);
  message.set_kv_k_elements(facts.kv_k_elements);
  message.set_kv_v_elements(facts.kv_v_elements);
  return message;
}

Result<proto::Prompt> prompt_of(const Result<std::vector<Token>>& tokens) {
  if (!tokens) return std::unexpected(tokens.error());
  proto::Prompt prompt;
  prompt.mutable_tokens()->Add(tokens->begin(), tokens->end());
  return prompt;
}

template <class Message>
void put(Result<Message> result, Message* (proto::FromCodec::*body)(), proto::FromCodec& answer) {
  if (result) {
    *(answer.*body)() = *std::move(result);
  } else {
    *answer.mutable_failure() = proto::to_message(result.error());
  }
}

}  // namespace

Result<proto::FromCodec> CodecCalls::answer(const proto::ToCodec& call) {
  if (const auto ordered = check_order(call); !ordered) return std::unexpected(ordered.error());
  proto::FromCodec answer;
  answer.set_call(call.call());
  switch (call.body_case()) {
    case proto::ToCodec::kOpen: put(open(call.open()), &proto::FromCodec::mutable_ready, answer); break;
    case proto::ToCodec::kRender: put(render(call.render()), &proto::FromCodec::mutable_prompt, answer); break;
    case proto::ToCodec::kTokenize: put(tokenize(call.tokenize()), &proto::FromCodec::mutable_prompt, answer); break;
    case proto::ToCodec::kDetokenize:
      put(detokenize(call.detokenize()), &proto::FromCodec::mutable_text, answer);
      break;
    case proto::ToCodec::kPing: answer.mutable_pong()->set_number(call.ping().number()); break;
    case proto::ToCodec::BODY_NOT_SET: UNREACHABLE();  // check_order
  }
  return answer;
}

Result<void> CodecCalls::check_order(const proto::ToCodec& call) const {
  switch (call.body_case()) {
    case proto::ToCodec::kPing: return {};
    case proto::ToCodec::kOpen:
      if (!codec_) return {};
      return fail(ErrorCode::protocol, "a codec opens one vocabulary in its life");
    case proto::ToCodec::kRender:
    case proto::ToCodec::kTokenize:
    case proto::ToCodec::kDetokenize:
      if (codec_) return {};
      return fail(ErrorCode::protocol, "the vocabulary must be opened before the first call");
    case proto::ToCodec::BODY_NOT_SET: break;
  }
  return fail(ErrorCode::protocol, "a frame says nothing that this build knows");
}

Result<proto::VocabularyReady> CodecCalls::open(const proto::OpenVocabulary& call) {
  auto opened = guarded([&] { return adapter_.open_codec(call.model_path()); });
  if (!opened) return std::unexpected(opened.error());
  CHECK(*opened);
  codec_ = *std::move(opened);
  return message_of(codec_->facts());
}

Result<proto::Prompt> CodecCalls::render(const proto::Render& call) {
  std::vector<ChatMessage> messages;
  for (const proto::ChatMessage& message : call.messages()) {
    messages.push_back({message.role(), message.content(), message.name()});
  }
  return prompt_of(guarded([&] { return codec_->render(messages, call.add_generation_prompt()); }));
}

Result<proto::Prompt> CodecCalls::tokenize(const proto::Tokenize& call) {
  return prompt_of(guarded([&] { return codec_->tokenize(call.text(), call.add_special(), call.parse_special()); }));
}

Result<proto::Text> CodecCalls::detokenize(const proto::Detokenize& call) {
  const std::vector<Token> tokens(call.tokens().begin(), call.tokens().end());
  auto text = guarded([&] { return codec_->detokenize(tokens); });
  if (!text) return std::unexpected(text.error());
  proto::Text message;
  message.set_text(*std::move(text));
  return message;
}

}  // namespace sluice::worker
