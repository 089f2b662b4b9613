// Bytes as tokens, and a template of the form "<|user|>text<|end|>". Control tokens come from the template, or from a
// text that may name them, never from a message's content. Breaks down where the model file says so.
// Thread: the codec process's only one.
#pragma once

#include "adapters/fake/model_file.h"
#include "codec/codec.h"

namespace sluice::fake {

class FakeCodec final : public Codec {
 public:
  explicit FakeCodec(ModelFile file);

  const VocabularyFacts& facts() const override { return facts_; }
  Result<std::vector<Token>> render(std::span<const ChatMessage> messages, bool add_generation_prompt) override;
  Result<std::vector<Token>> tokenize(std::string_view text, bool add_special, bool parse_special) override;
  Result<std::string> detokenize(std::span<const Token> tokens) override;

 private:
  Result<void> render_message(const ChatMessage& message, std::vector<Token>& tokens);
  void break_down_on(std::string_view text) const;

  ModelFile file_;
  VocabularyFacts facts_;
};

Result<std::unique_ptr<Codec>> open_codec(const std::string& model_path);

}  // namespace sluice::fake
