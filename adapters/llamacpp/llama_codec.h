// The Codec over libllama's vocabulary and chat templates: no weights, no context. Refuses to know requests.
// Thread: the codec process's only one. Lifetime: within its LibraryLog's.
#pragma once

#include <memory>
#include <string>

#include "adapters/llamacpp/chat_template.h"
#include "adapters/llamacpp/control_text.h"
#include "adapters/llamacpp/handles.h"
#include "adapters/llamacpp/library_log.h"
#include "adapters/llamacpp/tokenizer.h"
#include "codec/codec.h"

namespace sluice::llamacpp {

class LlamaCodec final : public Codec {
 public:
  // Errors: not_found, invalid (the file). A template that cannot be used is render()'s error: plain prompts work.
  static Result<std::unique_ptr<LlamaCodec>> open(const std::string& model_path, LibraryLog& log);

  const VocabularyFacts& facts() const override { return facts_; }
  Result<std::vector<Token>> render(std::span<const ChatMessage> messages, bool add_generation_prompt) override;
  Result<std::vector<Token>> tokenize(std::string_view text, bool add_special, bool parse_special) override;
  Result<std::string> detokenize(std::span<const Token> tokens) override;

 private:
  LlamaCodec(ModelPtr model, VocabularyFacts facts, Result<ChatTemplate> chat);

  ModelPtr model_;
  VocabularyFacts facts_;
  Tokenizer tokenizer_;
  ControlText control_;
  Result<ChatTemplate> template_;  // or why there is none
};

}  // namespace sluice::llamacpp
