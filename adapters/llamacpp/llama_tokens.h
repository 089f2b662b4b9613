// The bytes of every token, read once: a lookup is an index, whatever the vocabulary's kind. Refuses to know text that
// tokens make together. Thread: step. Lifetime: its own; the model may go before it.
#pragma once

#include <string>
#include <vector>

#include "codec/codec.h"

struct llama_vocab;

namespace sluice::llamacpp {

class LlamaTokens final : public TokenBytes {
 public:
  explicit LlamaTokens(const llama_vocab* vocabulary);
  uint32_t size() const override { return static_cast<uint32_t>(ends_.size()); }
  std::string_view bytes_of(Token token) const override;

 private:
  std::string arena_;           // the pieces, one after the other
  std::vector<uint32_t> ends_;  // of each token's piece
};

}  // namespace sluice::llamacpp
