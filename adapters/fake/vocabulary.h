// The fake's vocabulary: tokens 0 to 255 are bytes, then control tokens, then spares up to the vocabulary's size, which
// have no text and are never chosen. Refuses to know templates. Thread: any.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "codec/codec.h"

namespace sluice::fake {

inline constexpr std::array<std::string_view, 7> kControlTexts = {
    "<|start|>", "<|end|>", "<|system|>", "<|developer|>", "<|user|>", "<|assistant|>", "<|tool|>"};
inline constexpr Token kFirstControl = 256;
inline constexpr Token kStart = kFirstControl;
inline constexpr Token kEnd = kFirstControl + 1;
inline constexpr Token kFirstSpare = kFirstControl + static_cast<Token>(kControlTexts.size());

// "<|user|>" for a control token; empty for others.
std::string_view control_text(Token token);
std::optional<Token> control_named(std::string_view text);

class ByteTokens final : public TokenBytes {
 public:
  explicit ByteTokens(uint32_t vocabulary);
  uint32_t size() const override { return vocabulary_; }
  std::string_view bytes_of(Token token) const override;

 private:
  uint32_t vocabulary_;
  std::array<char, 256> bytes_;
};

}  // namespace sluice::fake
