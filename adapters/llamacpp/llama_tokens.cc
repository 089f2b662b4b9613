#include "adapters/llamacpp/llama_tokens.h"

#include <array>

#include "adapters/llamacpp/tokenizer.h"
#include "llama.h"

namespace sluice::llamacpp {

LlamaTokens::LlamaTokens(const llama_vocab* vocabulary) {
  const auto tokens = llama_vocab_n_tokens(vocabulary);
  ends_.reserve(static_cast<size_t>(tokens));
  for (Token token = 0; token < tokens; ++token) {
    arena_ += piece_of(vocabulary, token);
    ends_.push_back(static_cast<uint32_t>(arena_.size()));
  }
}

std::string_view LlamaTokens::bytes_of(Token token) const {
  const auto index = static_cast<size_t>(token);
  if (token < 0 || index >= ends_.size()) return {};
  const uint32_t begin = index == 0 ? 0 : ends_[index - 1];
  return std::string_view(arena_).substr(begin, ends_[index] - begin);
}

}  // namespace sluice::llamacpp
