// A vocabulary's tokenizer with sizes and errors checked. Refuses to know templates. Thread: any (the vocabulary is
// constant). Lifetime: within the model's.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "core/core.h"

struct llama_vocab;

namespace sluice::llamacpp {

// A part of one text. Where `parse_special` holds, "<|im_end|>" in it is the control token, else the letters.
struct TextPart {
  std::string text;
  bool parse_special = false;
};

class Tokenizer final {
 public:
  explicit Tokenizer(const llama_vocab* vocabulary) : vocabulary_(vocabulary) {}

  Result<std::vector<Token>> tokenize(std::string_view text, bool add_special, bool parse_special) const;
  // One text, of which some parts must not become control tokens; with the special tokens around it.
  Result<std::vector<Token>> tokenize_parts(std::span<const TextPart> parts) const;
  Result<std::string> detokenize(std::span<const Token> tokens) const;

 private:
  Result<std::vector<Token>> continue_with(const TextPart& part) const;
  const llama_vocab* vocabulary_;
};

// The token's own bytes; empty for control tokens.
std::string piece_of(const llama_vocab* vocabulary, Token token);

}  // namespace sluice::llamacpp
